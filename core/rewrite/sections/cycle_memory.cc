// Tested by unit/rewrite/sections_memory_test.cc: equal to simulating the graph of the cycle.
#include "core/rewrite/sections/cycle_memory.h"

#include <algorithm>
#include <utility>

#include "core/memory/faithful.h"

namespace tideline::sections {
namespace {

// The step graph of one run: shared ops, then placeholders, then what is computed, as in the graph
// that the plan gives.
class RunBuilder {
 public:
  RunBuilder(const StepFacts& facts, const StepGraph& step)
      : facts_(facts), step_(step), new_id_(step.ops.size()) {
    run_.variables = step.variables;
  }

  void add_shared(const std::vector<OpId>& ops) {
    std::vector<OpId> shared;
    for (const OpId op : ops) {
      for (const StepInput& input : step_.inputs_of(op)) {
        const OpId producer = step_.producer_of[input.tensor];
        if (facts_.is_shared(producer) || facts_.is_placeholder(producer)) {
          shared.push_back(producer);
        }
      }
    }
    std::sort(shared.begin(), shared.end());
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    for (const OpId op : shared) add_outputs(op);
    leaves_ = shared.size();
  }

  void add_feeds(const std::vector<TensorId>& feeds) {
    for (const TensorId feed : feeds) {
      StepOp op;
      op.first_tensor = static_cast<std::uint32_t>(run_.tensors.size());
      op.tensor_count = 1;
      op.space = step_.ops[feed.op.index()].space;
      StepTensor tensor = step_.tensors[step_.tensor(feed)];
      tensor.home = op.space;
      tensor.is_pinned = false;
      run_.tensors.push_back(tensor);
      run_.producer_of.push_back(OpId{static_cast<std::uint32_t>(run_.ops.size())});
      run_.ops.push_back(op);
    }
  }

  void add_outputs(OpId op) {
    StepOp entry = step_.ops[op.index()];
    new_id_[op.index()] = OpId{static_cast<std::uint32_t>(run_.ops.size())};
    const auto first = step_.tensors.begin() + entry.first_tensor;
    entry.first_tensor = static_cast<std::uint32_t>(run_.tensors.size());
    run_.tensors.insert(run_.tensors.end(), first, first + entry.tensor_count);
    run_.producer_of.insert(run_.producer_of.end(), entry.tensor_count, new_id_[op.index()]);
    entry.first_input = entry.input_count = 0;
    entry.first_control = entry.control_count = 0;
    entry.first_link = entry.link_count = 0;
    run_.ops.push_back(entry);
  }

  // `feed_of(slot)` is the number of the feed that input `slot` reads, or -1.
  template <typename FeedOf>
  void add_inputs(OpId op, const FeedOf& feed_of) {
    StepOp& entry = run_.ops[new_id(op).index()];
    entry.first_input = static_cast<std::uint32_t>(run_.inputs.size());
    std::uint32_t slot = 0;
    for (StepInput input : step_.inputs_of(op)) {
      const int feed = feed_of(slot++);
      if (feed >= 0) {
        input.tensor = run_.ops[leaves_ + static_cast<std::size_t>(feed)].first_tensor;
        input.is_back_edge = false;
      } else {
        input.tensor = tensor(input.tensor);
      }
      run_.inputs.push_back(input);
    }
    entry.input_count = slot;
    const auto links = step_.links_of(op);
    entry.first_link = static_cast<std::uint32_t>(run_.links.size());
    entry.link_count = static_cast<std::uint32_t>(links.size());
    run_.links.insert(run_.links.end(), links.begin(), links.end());
  }
  void add_controls(OpId op, const std::vector<OpId>& after) {
    StepOp& entry = run_.ops[new_id(op).index()];
    entry.first_control = static_cast<std::uint32_t>(run_.controls.size());
    for (const OpId input : after) run_.controls.push_back(new_id(input));
    entry.control_count = static_cast<std::uint32_t>(after.size());
  }

  // Ends the run with an op that waits for the targets. What is kept is fetched.
  StepGraph finish(const std::vector<TensorId>& kept, const std::vector<OpId>& targets) {
    StepOp end;
    end.first_input = static_cast<std::uint32_t>(run_.inputs.size());
    end.first_tensor = static_cast<std::uint32_t>(run_.tensors.size());
    end.first_link = static_cast<std::uint32_t>(run_.links.size());
    end.first_control = static_cast<std::uint32_t>(run_.controls.size());
    for (const OpId op : targets) run_.controls.push_back(new_id(op));
    end.control_count = static_cast<std::uint32_t>(targets.size());
    run_.fetches = {OpId{static_cast<std::uint32_t>(run_.ops.size())}};
    for (const TensorId id : kept) run_.fetches.push_back(new_id(id.op));
    run_.ops.push_back(end);
    add_holds();
    return std::move(run_);
  }

  [[nodiscard]] OpId new_id(OpId op) const { return new_id_[op.index()]; }

 private:
  [[nodiscard]] std::uint32_t tensor(std::uint32_t of_step) const {
    const OpId producer = step_.producer_of[of_step];
    return run_.ops[new_id(producer).index()].first_tensor + of_step -
           step_.ops[producer.index()].first_tensor;
  }
  [[nodiscard]] std::vector<OpId> those_here(const std::vector<OpId>& ops) const {
    std::vector<OpId> here;
    for (const OpId op : ops) {
      if (new_id(op).valid()) here.push_back(new_id(op));
    }
    return here;
  }
  void add_holds() {
    for (const StepHold& hold : step_.holds) {
      if (!new_id(hold.by).valid() || !new_id(step_.producer_of[hold.tensor]).valid()) continue;
      StepHold here = hold;
      here.tensor = tensor(hold.tensor);
      here.by = new_id(hold.by);
      here.from = those_here(hold.from);
      here.to = those_here(hold.to);
      run_.holds.push_back(std::move(here));
    }
  }

  const StepFacts& facts_;
  const StepGraph& step_;
  std::vector<OpId> new_id_;  // by op
  std::size_t leaves_ = 0;
  StepGraph run_;
};

}  // namespace

RunPeak peak_of_run(const StepGraph& graph, std::vector<Bytes>* device) {
  MemoryTimeline timeline = simulate_step(graph, StepDetail::kBytes).timeline;
  if (device != nullptr) *device = std::move(timeline.device);
  return {timeline.device_peak, timeline.resident_bytes};
}

RunPeak CycleMemory::plain() const {
  StepGraph step = step_;
  step.fetches = {facts_.roots().train_op, facts_.roots().loss.op};
  step.fetches.insert(step.fetches.end(), facts_.roots().updates.begin(),
                      facts_.roots().updates.end());
  return peak_of_run(step);
}

RunPeak CycleMemory::forward(const Cut& cut) const {
  RunBuilder builder(facts_, step_);
  std::vector<OpId> ops;
  for (const OpId op : facts_.graph().ops()) {
    if (cut.forward_ops[op.index()]) ops.push_back(op);
  }
  for (const OpId op : ops) builder.add_outputs(op);
  for (const OpId op : ops) {
    if (facts_.is_placeholder(op)) continue;
    builder.add_inputs(op, [](std::uint32_t) { return -1; });
    const auto after = step_.controls_of(op);
    builder.add_controls(op, {after.begin(), after.end()});
  }
  std::vector<TensorId> kept = cut.forward_cache;
  kept.push_back(facts_.roots().loss);
  return peak_of_run(builder.finish(kept, {}));
}

RunPeak CycleMemory::phase(const PhaseCut& phase, const std::vector<ControlEdge>& control) const {
  RunBuilder builder(facts_, step_);
  builder.add_shared(phase.ops);
  builder.add_feeds(phase.feeds);
  for (const OpId op : phase.ops) builder.add_outputs(op);
  std::size_t edge = 0;
  std::vector<OpId> after;
  for (const OpId op : phase.ops) {
    builder.add_inputs(op, [&](std::uint32_t slot) {
      if (!phase.is_fed(facts_, op, slot)) return -1;
      const auto at =
          std::lower_bound(phase.feeds.begin(), phase.feeds.end(), facts_.graph().inputs(op)[slot]);
      return static_cast<int>(at - phase.feeds.begin());
    });
    after.clear();
    for (; edge < control.size() && control[edge].op == op; ++edge) {
      after.push_back(control[edge].after);
    }
    after.erase(std::remove_if(after.begin(), after.end(),
                               [&](OpId input) { return !phase.runs[input.index()]; }),
                after.end());
    builder.add_controls(op, after);
  }
  return peak_of_run(builder.finish(phase.delivered, phase.targets));
}

Bytes CycleMemory::kept_bytes(const Cut& cut) const {
  // A value is kept from its run to the last that is fed it.
  const auto bytes = [&](TensorId tensor) { return step_.tensors[step_.tensor(tensor)].content; };
  const auto count = static_cast<int>(cut.phases.size());
  std::vector<Bytes> kept(cut.phases.size() + 1);
  const auto last_fed = [&](TensorId tensor) {
    for (int k = 0; k < count; ++k) {
      const auto& feeds = cut.phases[static_cast<std::size_t>(k)].feeds;
      if (std::binary_search(feeds.begin(), feeds.end(), tensor)) return k;
    }
    return count;
  };
  const auto add = [&](TensorId tensor, int from) {
    for (int k = from - 1; k >= last_fed(tensor); --k) {
      kept[static_cast<std::size_t>(k)] += bytes(tensor);
    }
  };
  for (const TensorId tensor : cut.forward_cache) add(tensor, count);
  for (int k = 0; k < count; ++k) {
    for (const TensorId tensor : cut.phases[static_cast<std::size_t>(k)].delivered) add(tensor, k);
  }
  return *std::max_element(kept.begin(), kept.end());
}

}  // namespace tideline::sections
