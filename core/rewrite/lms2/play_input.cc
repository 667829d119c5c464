// Three passes: ops with a level get ranks, and those that run get steps; tensors that a running op
// reads or writes get an index and reference counts; sources get their consumers by level.
// Tested by unit/rewrite/lms2/play_test.cc and the oracles of lms_v2_autotune.
#include "core/rewrite/lms2/play_input.h"

#include <algorithm>
#include <limits>

#include "core/rewrite/lms2/swaps.h"

namespace tideline::lms2 {
namespace {

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

class PlayGraphBuilder {
 public:
  PlayGraphBuilder(const Context& context, const Candidates& candidates,
                   const std::vector<OpId>& trainable)
      : context_(context),
        candidates_(candidates),
        rank_of_(context.graph.op_count(), kNoIndex),
        step_of_(context.graph.op_count(), kNeverRuns),
        first_tensor_(context.graph.op_count() + 1),
        is_trainable_(context.graph.op_count()) {
    for (const OpId op : trainable) is_trainable_[op.index()] = true;
  }

  Result<PlayGraph> build() {
    order_ops();
    link_ranks();
    index_tensors();
    swappable_of_.assign(play_.tensors.size(), kNoIndex);
    for (const OpId op : steps_) add_step(op);
    number_destinations();
    if (too_large_) {
      return fail(Code::kUnsupported,
                  "the sizes of the tensors are too large: their sums do not fit 64 bits");
    }
    return std::move(play_);
  }

 private:
  struct Reader {
    OpId op;
    bool may_swap;
  };
  // Ops between a step and the step before it.
  struct Before {
    std::uint32_t host_ops = 0;
    bool level_begins = false;
  };

  [[nodiscard]] std::int32_t level(OpId op) const { return context_.levels.level(op); }

  void order_ops() {
    const LevelMap& levels = context_.levels;
    play_.levels = levels.count();
    Before before;
    for (std::int32_t at = 0; at < levels.count(); ++at) {
      before.level_begins = true;
      for (const OpId op : levels.ops(at)) {
        rank_of_[op.index()] = static_cast<std::uint32_t>(play_.ranks.size());
        PlayRank rank{at, kNeverRuns, may_trigger(context_, op)};
        if (!context_.is_inactive(op) && !is_trainable_[op.index()]) {
          if (context_.placement.on_device(op)) {
            rank.step = static_cast<std::uint32_t>(steps_.size());
            step_of_[op.index()] = rank.step;
            steps_.push_back(op);
            before_.push_back(before);
            before = {};
          } else {
            ++before.host_ops;
          }
        }
        play_.ranks.push_back(rank);
      }
    }
  }

  void link_ranks() {
    play_.first_rank_input.reserve(play_.ranks.size() + 1);
    play_.first_rank_input.push_back(0);
    for (std::int32_t at = 0; at < context_.levels.count(); ++at) {
      for (const OpId op : context_.levels.ops(at)) {
        OpId last;
        for (const TensorId input : context_.graph.inputs(op)) {
          if (input.op == last) continue;
          last = input.op;
          if (level(input.op) == kNoLevel || level(input.op) >= at) continue;
          play_.rank_inputs.push_back(rank_of_[input.op.index()]);
        }
        play_.first_rank_input.push_back(static_cast<std::uint32_t>(play_.rank_inputs.size()));
      }
    }
  }

  // Every tensor gets an index; those that nobody reads stay unused.
  void index_tensors() {
    const Graph& graph = context_.graph;
    std::uint32_t count = 0;
    for (const OpId op : graph.ops()) {
      first_tensor_[op.index()] = count;
      count += context_.tensors.output_count(op);
    }
    first_tensor_[graph.op_count()] = count;
    play_.tensors.resize(count);
    play_.inputs.reserve(graph.input_slot_count());
    for (const OpId op : graph.ops()) {
      for (std::uint32_t slot = 0; slot < context_.tensors.output_count(op); ++slot) {
        PlayTensor& tensor = play_.tensors[first_tensor_[op.index()] + slot];
        tensor.tensor = {op, slot};
        tensor.bytes = context_.tensors.bytes({op, slot});
      }
    }
    for (const OpId op : graph.ops()) {
      const bool counts = context_.is_active_device_op(op);
      each_input(op, [&](std::uint32_t tensor) {
        ++play_.tensors[tensor].consumers;
        if (counts) ++play_.tensors[tensor].device_consumers;
      });
    }
    // A tensor is allocated at most once for itself and once for each consumer; the host likewise.
    Bytes total = 0;
    for (const PlayTensor& tensor : play_.tensors) {
      const auto times = checked_multiply(tensor.bytes, std::int64_t{tensor.consumers} + 2);
      total = saturating_add(total, times.value_or(std::numeric_limits<Bytes>::max()));
    }
    too_large_ = total == std::numeric_limits<Bytes>::max();
  }

  // Distinct tensors in the order of the slots. Ops with many inputs (AddN, ConcatV2) are rare.
  template <typename Visit>
  void each_input(OpId op, Visit&& visit) {
    const auto inputs = context_.graph.inputs(op);
    constexpr std::size_t kFew = 16;
    if (inputs.size() <= kFew) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(i), inputs[i]) ==
            inputs.begin() + static_cast<std::ptrdiff_t>(i)) {
          visit(index_of(inputs[i]));
        }
      }
      return;
    }
    std::vector<TensorId> distinct(inputs.begin(), inputs.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const TensorId input : distinct) visit(index_of(input));
  }

  [[nodiscard]] std::uint32_t index_of(TensorId tensor) const {
    return first_tensor_[tensor.op.index()] + tensor.slot;
  }

  void add_step(OpId op) {
    PlayStep step;
    step.op = op;
    step.level = level(op);
    const Before& before = before_[step_of_[op.index()]];
    step.host_ops_before = before.host_ops;
    step.level_begins = before.level_begins;
    step.first_input = static_cast<std::uint32_t>(play_.inputs.size());
    Bytes need = 0;
    each_input(op, [&](std::uint32_t tensor) {
      const OpId producer = play_.tensors[tensor].tensor.op;
      if (context_.is_inactive(producer)) return;
      // Swapping is decided when the producer runs, which is before: its consumers are listed.
      play_.inputs.push_back({tensor, consumer_index(tensor, op)});
      need = saturating_add(need, play_.tensors[tensor].bytes);
    });
    step.input_count = static_cast<std::uint32_t>(play_.inputs.size()) - step.first_input;
    step.first_output = static_cast<std::uint32_t>(play_.outputs.size());
    step.first_swappable = static_cast<std::uint32_t>(play_.swappables.size());
    for (std::uint32_t slot = 0; slot < context_.tensors.output_count(op); ++slot) {
      const std::uint32_t tensor = index_of({op, slot});
      if (play_.tensors[tensor].device_consumers == 0) continue;
      play_.outputs.push_back(tensor);
      need = saturating_add(need, play_.tensors[tensor].bytes);
      const bool may_go =
          candidates_.is_source(op) || candidates_.overrides.of({op, slot}) == Override::kSwap;
      if (may_go && context_.tensors.shape({op, slot}).rank() >= 2) {
        add_swappable(tensor);
      }
    }
    step.output_count = static_cast<std::uint32_t>(play_.outputs.size()) - step.first_output;
    step.swappable_count =
        static_cast<std::uint32_t>(play_.swappables.size()) - step.first_swappable;
    play_.largest_need = std::max(play_.largest_need, need);
    play_.steps.push_back(step);
  }

  void add_swappable(std::uint32_t tensor) {
    const TensorId id = play_.tensors[tensor].tensor;
    PlaySwappable swappable{tensor, static_cast<std::uint32_t>(play_.consumers.size()), 0,
                            candidates_.overrides.ahead_of(id)};
    readers_.clear();
    bool any = false;
    for (const Use use : context_.consumers.data(id.op)) {
      if (context_.graph.inputs(use.consumer)[use.slot].slot != id.slot) continue;
      const bool may_swap = may_lead_over_host(context_, candidates_, id, use);
      if (!readers_.empty() && readers_.back().op == use.consumer) {
        readers_.back().may_swap = readers_.back().may_swap && may_swap;
        continue;
      }
      readers_.push_back({use.consumer, may_swap});
    }
    for (const Reader& reader : readers_) any = any || reader.may_swap;
    if (!any) return;
    std::stable_sort(readers_.begin(), readers_.end(),
                     [&](const Reader& a, const Reader& b) { return level(a.op) < level(b.op); });
    const bool is_forced = candidates_.overrides.of(id) == Override::kSwap;
    for (const Reader& reader : readers_) add_consumer(id.op, reader, is_forced);
    swappable.consumer_count = static_cast<std::uint32_t>(readers_.size());
    swappable_of_[tensor] = static_cast<std::uint32_t>(play_.swappables.size());
    play_.swappables.push_back(swappable);
    std::vector<int>& aheads = play_.own_aheads;
    const bool is_new =
        std::find(aheads.begin(), aheads.end(), swappable.own_ahead) == aheads.end();
    if (swappable.own_ahead > 0 && is_new) aheads.push_back(swappable.own_ahead);
  }

  void add_consumer(OpId producer, const Reader& reader, bool is_forced) {
    PlayConsumer consumer;
    consumer.level = level(reader.op);
    consumer.distance = consumer.level - level(producer);
    consumer.step = step_of_[reader.op.index()];
    consumer.may_swap = reader.may_swap;
    consumer.is_forced = is_forced;
    consumer.counts = context_.is_active_device_op(reader.op);
    if (consumer.may_swap && consumer.distance > 1) {
      consumer.destination = rank_of_[reader.op.index()];  // until they are numbered
      OpId last;
      for (const TensorId input : context_.graph.inputs(reader.op)) {
        if (input.op == producer || !context_.is_active_device_op(input.op)) continue;
        if (level(input.op) == kNoLevel) continue;
        if (!last.valid() || level(input.op) > level(last) ||
            (level(input.op) == level(last) && input.op < last)) {
          last = input.op;
        }
      }
      if (last.valid()) consumer.last_input_step = step_of_[last.index()];
    }
    play_.consumers.push_back(consumer);
    consumer_ops_.push_back(reader.op);
  }

  // Where `op` stands among the consumers of `tensor`, which are sorted by level, then file order.
  [[nodiscard]] std::uint32_t consumer_index(std::uint32_t tensor, OpId op) const {
    if (swappable_of_[tensor] == kNoIndex) return kNoIndex;
    const PlaySwappable& swappable = play_.swappables[swappable_of_[tensor]];
    const auto first = consumer_ops_.begin() + swappable.first_consumer;
    const auto found = std::lower_bound(
        first, first + swappable.consumer_count, op,
        [&](OpId a, OpId b) { return std::pair(level(a), a) < std::pair(level(b), b); });
    return static_cast<std::uint32_t>(found - consumer_ops_.begin());
  }

  void number_destinations() {
    std::vector<std::uint32_t> number(play_.ranks.size(), kNoIndex);
    for (const PlayConsumer& consumer : play_.consumers) {
      if (consumer.destination != kNoIndex) number[consumer.destination] = 0;
    }
    for (std::uint32_t rank = 0; rank < number.size(); ++rank) {
      if (number[rank] == kNoIndex) continue;
      number[rank] = static_cast<std::uint32_t>(play_.destinations.size());
      play_.destinations.push_back(rank);
    }
    for (PlayConsumer& consumer : play_.consumers) {
      if (consumer.destination != kNoIndex) consumer.destination = number[consumer.destination];
    }
  }

  const Context& context_;
  const Candidates& candidates_;
  PlayGraph play_;
  std::vector<std::uint32_t> rank_of_;
  std::vector<std::uint32_t> step_of_;
  std::vector<std::uint32_t> first_tensor_;
  std::vector<std::uint32_t> swappable_of_;  // by tensor
  std::vector<bool> is_trainable_;
  std::vector<OpId> steps_;
  std::vector<Before> before_;  // by step
  std::vector<OpId> consumer_ops_;
  std::vector<Reader> readers_;
  bool too_large_ = false;
};

}  // namespace

bool may_trigger(const Context& context, OpId op) {
  if (!context.is_active_device_op(op)) return false;
  const std::string_view name = context.graph.name(op);
  const std::string_view type = context.graph.type(op);
  if (has(name, "/cond/") && type != "Merge" && type != "Switch") return false;
  return !context.while_names.in_loop(op) || type == "Enter" || type == "Exit";
}

Result<PlayGraph> build_play_graph(const Context& context, const Candidates& candidates,
                                   const std::vector<OpId>& trainable) {
  return PlayGraphBuilder(context, candidates, trainable).build();
}

}  // namespace tideline::lms2
