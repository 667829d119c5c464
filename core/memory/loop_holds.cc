// Problem: the step graph has each op of a loop once. A training loop puts what its gradient needs
// onto stacks in every round, and the backward loop takes it from there; likewise TensorArrays keep
// the elements of a sequence. Of such values there are as many as rounds, of all others one.
// Idea: one round stands for the whole loop, the one with the most in containers. That is the last
// round of a loop that puts in more than it takes out, such as a forward loop, and the first of
// others. What earlier rounds have put in is then there from the loop's first op on, and what later
// rounds will take until its last op has run.
//   forward loop, 40 rounds: push h (16 KiB); backward loop: pop. 39 further values of h, 624 KiB,
//   are there from the beginning of the forward loop to the end of the backward loop.
// A value that goes into several containers, or is pushed in the next round as the loop's variable,
// is one buffer and counts once. A value from outside the loop is the same buffer in every round.
// Limits: rounds do not overlap. One round's value between the loops is not counted, as a pop makes
// a tensor of its own. Source: own; which ops keep what: TensorFlow's kernels (behaviour only).
// Tested by unit/memory/loop_holds_test.cc and integration/traced_step_test.py.
#include "core/memory/loop_holds.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/graph/op_types.h"
#include "core/memory/containers.h"

namespace tideline {
namespace {

constexpr std::uint32_t kNoHold = WhileFrame::kNone;
constexpr std::uint32_t kMostViews = 256;

// The ops of one outermost loop that say when it begins and ends, and what it moves.
struct Loop {
  std::vector<OpId> begins, ends;
  Bytes put = 0, taken = 0;
  [[nodiscard]] bool shows_last_round() const { return put >= taken; }
};

struct Put {
  OpId op;
  std::uint32_t tensor = 0;  // whose buffer it is
  std::int64_t values = 0;
  Bytes bytes = 0;
};

struct Container {
  std::vector<Put> puts;
  std::vector<OpId> takes;
};

class HoldSearch {
 public:
  HoldSearch(const LoopGraph& loops, const StepGraph& step)
      : graph_(loops.graph),
        facts_(loops.facts),
        frames_(loops.frames),
        step_(step),
        containers_(loops.graph, loops.facts),
        loops_(frames_.frames.size()) {}

  std::vector<StepHold> run() {
    for (std::size_t i = 0; i < loops_.size(); ++i) loops_[i].begins = frames_.frames[i].merges;
    for (const OpId op : graph_.ops()) visit(op);
    for (const auto& [key, container] : found_) weigh(container);
    for (const auto& [key, container] : found_) {
      for (const Put& put : container.puts) add(put, container);
    }
    return std::move(holds_);
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }
  // The outermost loop around `op`.
  [[nodiscard]] std::uint32_t loop_of(OpId op) const {
    std::uint32_t frame = frames_.frame_of[op.index()];
    while (frame != kNoHold && frames_.frames[frame].parent != kNoHold) {
      frame = frames_.frames[frame].parent;
    }
    return frame;
  }
  [[nodiscard]] std::int64_t rounds_of(OpId op) const {
    const std::uint32_t frame = frames_.frame_of[op.index()];
    return frame == kNoHold ? 1 : step_.loops[frame].rounds;
  }

  void visit(OpId op) {
    const std::uint32_t loop = loop_of(op);
    const OpKind what = kind(op);
    if (loop != kNoHold && (what == OpKind::kNextIteration || what == OpKind::kExit)) {
      loops_[loop].ends.push_back(op);
    }
    const ContainerUse use = containers_.use_of(op);
    const bool is_all = use == ContainerUse::kNone && Containers::puts_all(graph_.type(op));
    if (use == ContainerUse::kNone && !is_all) return;
    Container& container = found_[containers_.container_of(op)];
    if (use != ContainerUse::kPut && !is_all) {
      container.takes.push_back(op);
      if (loop != kNoHold) loops_[loop].ends.push_back(op);
      return;
    }
    const std::uint32_t slot = Containers::value_slot(graph_.type(op));
    if (slot >= graph_.inputs(op).size()) return;
    const auto put =
        is_all ? put_all(op, graph_.inputs(op)[slot]) : put_one(op, graph_.inputs(op)[slot]);
    if (put && put->bytes > 0) container.puts.push_back(*put);
  }
  [[nodiscard]] std::optional<Put> put_all(OpId op, TensorId value) const {
    const StepTensor& tensor = step_.tensors[step_.tensor(value)];
    return Put{op, step_.tensor(value), 1, tensor.bytes};
  }
  [[nodiscard]] std::optional<Put> put_one(OpId op, TensorId value) const {
    const std::uint32_t loop = loop_of(op);
    const auto source = buffer_of(value);
    // From outside of the loop: one buffer in all rounds.
    if (loop == kNoHold || !source || loop_of(source->op) != loop) return std::nullopt;
    const std::uint32_t id = step_.tensor(*source);
    const StepTensor& tensor = step_.tensors[id];
    const std::int64_t before = rounds_of(op) - 1;
    if (tensor.is_pinned || before <= 0) return std::nullopt;
    constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
    return Put{op, id, before, checked_multiply(tensor.bytes, before).value_or(kMost)};
  }

  // The tensor whose buffer `tensor` has always; for a variable of a loop the one of the round
  // before.
  [[nodiscard]] std::optional<TensorId> buffer_of(TensorId tensor) const {
    for (std::uint32_t step = 0; step < kMostViews; ++step) {
      const auto inputs = graph_.inputs(tensor.op);
      if (is_merge(graph_.type(tensor.op))) {
        const auto back = std::find_if(inputs.begin(), inputs.end(), [&](TensorId input) {
          return is_next_iteration(graph_.type(input.op));
        });
        if (back == inputs.end()) return tensor;
        tensor = *back;
        continue;
      }
      if (kind(tensor.op) == OpKind::kEnter) {
        if (inputs.empty()) return tensor;
        tensor = inputs[0];
        continue;
      }
      const auto links = step_.links_of(tensor.op);
      const auto alias = std::find_if(links.begin(), links.end(), [&](const StepLink& link) {
        return link.is_alias && !link.if_equal && link.output == tensor.slot;
      });
      if (alias == links.end() || alias->input >= inputs.size()) return tensor;
      tensor = inputs[alias->input];
    }
    return std::nullopt;
  }

  void weigh(const Container& container) {
    for (const Put& put : container.puts) {
      if (const std::uint32_t loop = loop_of(put.op); loop != kNoHold) {
        loops_[loop].put = saturating_add(loops_[loop].put, put.bytes);
      }
      for (const OpId take : container.takes) {
        const std::uint32_t loop = loop_of(take);
        if (loop == kNoHold || loop == loop_of(put.op)) continue;
        loops_[loop].taken = saturating_add(loops_[loop].taken, put.bytes);
        break;
      }
    }
  }

  void add(const Put& put, const Container& container) {
    StepHold hold{put.tensor, put.bytes, put.values, put.op, {put.op}, {}, container.takes};
    if (const std::uint32_t loop = loop_of(put.op); loop != kNoHold) {
      const Loop& where = loops_[loop];
      hold.from = where.shows_last_round() ? where.begins : where.ends;
    }
    bool stays = container.takes.empty();
    for (const OpId take : container.takes) {
      stays = stays || !containers_.clears(take);
      const std::uint32_t loop = loop_of(take);
      if (loop == kNoHold) {
        hold.to.push_back(take);
        continue;
      }
      // Gone before the next round.
      if (loop == loop_of(put.op) && containers_.clears(take)) return;
      const Loop& where = loops_[loop];
      const auto& until = where.shows_last_round() ? where.begins : where.ends;
      hold.to.insert(hold.to.end(), until.begin(), until.end());
    }
    if (stays) hold.to.clear();
    join(std::move(hold), stays);
  }

  // A buffer in several containers counts once, for as long as any of them keeps it.
  void join(StepHold hold, bool stays) {
    const auto [entry, is_new] = number_.try_emplace({hold.tensor, hold.values}, holds_.size());
    if (is_new) return holds_.push_back(std::move(hold));
    StepHold& known = holds_[entry->second];
    known.takes.insert(known.takes.end(), hold.takes.begin(), hold.takes.end());
    if (stays || known.to.empty()) {
      known.to.clear();
    } else {
      known.to.insert(known.to.end(), hold.to.begin(), hold.to.end());
    }
  }

  const Graph& graph_;
  const OpFactsTable& facts_;
  const WhileFrames& frames_;
  const StepGraph& step_;
  Containers containers_;
  std::vector<Loop> loops_;                   // by frame; only the outermost are used
  std::map<std::uint64_t, Container> found_;  // by container
  std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> number_;
  std::vector<StepHold> holds_;
};

}  // namespace

std::vector<StepHold> find_loop_holds(const LoopGraph& loops, const StepGraph& step) {
  return HoldSearch(loops, step).run();
}

}  // namespace tideline
