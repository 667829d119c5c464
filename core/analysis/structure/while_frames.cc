// Problem: a loop of TensorFlow 1 is not one op but many: Enter ops lead into a named frame, Exit
// ops out of it, and every op that depends on an op of the frame runs in it, even if it only waits
// for such an op.
// Idea: visit producers first. An Enter opens (or joins) the frame of its name inside the frame of
// its input, an Exit returns to the enclosing frame, every other op is in the frame of its inputs.
// Inputs from several frames do not occur in valid graphs; the deepest frame is taken then. A
// backward loop pops what its forward loop pushed: shared stacks identify the pairs.
// Limits: two loops of one name in one frame are one loop, as for the executor. Source: the
// executor's rules for frames (TensorFlow white paper, control flow). Tested by
// unit/analysis/structure/while_frames_test.cc.
#include "core/analysis/structure/while_frames.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/producers_first.h"

namespace tideline {
namespace {

class FrameSearch {
 public:
  FrameSearch(const Graph& graph, const OpFactsTable& facts, const StackLinks& stacks,
              const Phases& phases)
      : graph_(graph), facts_(facts), stacks_(stacks), phases_(phases) {
    found_.frame_of.assign(graph.op_count(), WhileFrame::kNone);
  }

  Result<WhileFrames> run() {
    bool any = false;
    for (std::uint32_t type = 0; type < graph_.types().size(); ++type) {
      any = any || facts_.of(type).kind == OpKind::kEnter;
    }
    if (!any) return std::move(found_);
    for (const OpId op : producers_first(graph_)) TIDELINE_RETURN_IF_ERROR(place(op));
    for (const OpId op : graph_.ops()) list(op);
    link_backward();
    return std::move(found_);
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }

  // The frame that the outputs of `op` are in.
  [[nodiscard]] std::uint32_t frame_behind(OpId op) const {
    const std::uint32_t frame = found_.frame_of[op.index()];
    if (frame == WhileFrame::kNone || kind(op) != OpKind::kExit) return frame;
    return found_.frames[frame].parent;
  }
  [[nodiscard]] std::uint32_t depth(std::uint32_t frame) const {
    return frame == WhileFrame::kNone ? 0 : found_.frames[frame].depth;
  }

  Status place(OpId op) {
    std::uint32_t around = WhileFrame::kNone;
    bool mixed = false;
    const auto meet = [&](OpId input) {
      const std::uint32_t frame = frame_behind(input);
      if (frame == WhileFrame::kNone || frame == around) return;
      mixed = mixed || around != WhileFrame::kNone;
      if (depth(frame) > depth(around)) around = frame;
    };
    for (const TensorId input : graph_.inputs(op)) {
      if (kind(op) != OpKind::kMerge || kind(input.op) != OpKind::kNextIteration) meet(input.op);
    }
    for (const OpId input : graph_.control_inputs(op)) meet(input);
    const bool leaves_nothing = kind(op) == OpKind::kExit && around == WhileFrame::kNone;
    found_.misfits += mixed || leaves_nothing ? 1 : 0;
    if (kind(op) != OpKind::kEnter) {
      found_.frame_of[op.index()] = around;
      return {};
    }
    TIDELINE_TRY(const auto name, graph_.attribute(op, "frame_name"));
    TIDELINE_TRY(const auto parallel, graph_.attribute(op, "parallel_iterations"));
    found_.frame_of[op.index()] = open(around, name ? name->string : std::string());
    WhileFrame& frame = found_.frames[found_.frame_of[op.index()]];
    if (frame.op_count++ == 0 && parallel) frame.parallel_iterations = parallel->integer;
    return {};
  }

  std::uint32_t open(std::uint32_t around, std::string name) {
    const auto next = static_cast<std::uint32_t>(found_.frames.size());
    const auto [entry, added] = numbers_.emplace(std::pair(around, std::move(name)), next);
    if (added) {
      WhileFrame frame;
      frame.name = entry->first.second;
      frame.parent = around;
      frame.depth = depth(around) + 1;
      found_.frames.push_back(std::move(frame));
    }
    return entry->second;
  }

  void list(OpId op) {
    const std::uint32_t number = found_.frame_of[op.index()];
    if (number == WhileFrame::kNone) return;
    WhileFrame& frame = found_.frames[number];
    switch (kind(op)) {
      case OpKind::kEnter: frame.enters.push_back(op); return;  // counted when it was placed
      case OpKind::kExit: frame.exits.push_back(op); break;
      case OpKind::kNextIteration: frame.next_iterations.push_back(op); break;
      case OpKind::kMerge: {
        // Merges of conditionals inside the loop are no part of its frame.
        const auto inputs = graph_.inputs(op);
        if (std::any_of(inputs.begin(), inputs.end(),
                        [&](TensorId input) { return kind(input.op) == OpKind::kNextIteration; })) {
          frame.merges.push_back(op);
        }
        break;
      }
      case OpKind::kSwitch:
        if (graph_.inputs(op).size() > 1 && kind(graph_.inputs(op)[1].op) == OpKind::kLoopCond) {
          frame.switches.push_back(op);
        }
        break;
      case OpKind::kLoopCond:
        if (!frame.condition.valid()) {
          frame.condition = op;
          frame.phase = phases_.of(op);
        }
        break;
      default: break;
    }
    ++frame.op_count;
  }

  void link_backward() {
    for (std::uint32_t stack = 0; stack < stacks_.count(); ++stack) {
      if (stacks_.pushes(stack).empty()) continue;
      const std::uint32_t pushed = found_.frame_of[stacks_.pushes(stack).front().index()];
      if (pushed == WhileFrame::kNone) continue;
      for (const OpId pop : stacks_.pops(stack)) {
        const std::uint32_t popped = found_.frame_of[pop.index()];
        if (popped == WhileFrame::kNone || popped == pushed) continue;
        WhileFrame& frame = found_.frames[popped];
        if (frame.forward == WhileFrame::kNone) frame.forward = pushed;
      }
    }
  }

  const Graph& graph_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  const Phases& phases_;
  WhileFrames found_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> numbers_;
};

}  // namespace

Result<WhileFrames> find_while_frames(const Graph& graph, const OpFactsTable& facts,
                                      const StackLinks& stacks, const Phases& phases) {
  return FrameSearch(graph, facts, stacks, phases).run();
}

}  // namespace tideline
