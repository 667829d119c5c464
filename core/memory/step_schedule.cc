// Levels are computed backwards from the fetches: the level of an op is known once the levels of
// all its inputs are, so a depth-first search assigns it in postorder. The search visits exactly
// the ops that run. It has an explicit stack; back edges of loops do not count for levels, but ops
// that are reachable only over them run too.
#include "core/memory/step_schedule.h"

#include <algorithm>

#include "core/memory/executor_order.h"

namespace tideline {
namespace {

class LevelWalk {
 public:
  explicit LevelWalk(const StepGraph& graph) : graph_(graph), level_(graph.ops.size(), kUnknown) {}

  std::vector<std::int32_t> run() {
    roots_ = graph_.fetches;
    while (!roots_.empty()) {
      const OpId root = roots_.back();
      roots_.pop_back();
      if (level_[root.index()] == kUnknown) walk(root);
    }
    return std::move(level_);
  }

 private:
  static constexpr std::int32_t kUnknown = -1;

  struct Frame {
    OpId op;
    std::uint32_t next;    // input, then control input, to be looked at
    std::int32_t highest;  // level of the inputs so far
  };

  void walk(OpId root) {
    enter(root);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      const auto inputs = graph_.inputs_of(frame.op);
      const auto controls = graph_.controls_of(frame.op);
      if (frame.next == inputs.size() + controls.size()) {
        level_[frame.op.index()] = frame.highest + 1;
        stack_.pop_back();
        continue;
      }
      OpId input;
      if (frame.next < inputs.size()) {
        input = producer(inputs[frame.next]);
        if (inputs[frame.next].is_back_edge) {
          roots_.push_back(input);
          ++frame.next;
          continue;
        }
      } else {
        input = controls[frame.next - inputs.size()];
      }
      const std::int32_t level = level_[input.index()];
      if (level == kUnknown) {
        enter(input);  // and come back to this input
        continue;
      }
      frame.highest = std::max(frame.highest, level);
      ++frame.next;
    }
  }

  // The search never meets an op on its own path, because the graph is acyclic except for back
  // edges. If it does, the op gets level 0 instead of being visited again.
  void enter(OpId op) {
    level_[op.index()] = 0;
    stack_.push_back({op, 0, -1});
  }

  [[nodiscard]] OpId producer(const StepInput& input) const {
    return graph_.producer_of[input.tensor];
  }

  const StepGraph& graph_;
  std::vector<std::int32_t> level_;
  std::vector<OpId> roots_;
  std::vector<Frame> stack_;
};

}  // namespace

std::vector<std::int32_t> step_levels(const StepGraph& graph) {
  return LevelWalk(graph).run();
}

std::vector<OpId> by_level(const std::vector<std::int32_t>& level_of) {
  std::int32_t highest = -1;
  for (const std::int32_t level : level_of) highest = std::max(highest, level);
  std::vector<std::uint32_t> first(static_cast<std::size_t>(highest) + 2);
  for (const std::int32_t level : level_of) {
    if (level >= 0) ++first[static_cast<std::size_t>(level) + 1];
  }
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<OpId> ops(first.back());
  for (std::uint32_t op = 0; op < level_of.size(); ++op) {
    if (level_of[op] >= 0) ops[first[static_cast<std::size_t>(level_of[op])]++] = OpId{op};
  }
  return ops;
}

StepSchedule schedule_step(const StepGraph& graph) {
  StepSchedule schedule;
  std::vector<std::int32_t> found;
  if (graph.folding != nullptr) schedule.ops = executor_order(graph);
  if (schedule.ops.empty()) {
    found = step_levels(graph);
    schedule.ops = by_level(found);
  }
  const std::vector<std::int32_t>& level_of = graph.folding != nullptr ? graph.file_levels : found;
  schedule.level.reserve(schedule.ops.size());
  schedule.step.assign(level_of.size(), -1);
  for (const OpId op : schedule.ops) {
    schedule.step[op.index()] = static_cast<std::int32_t>(schedule.level.size());
    schedule.level.push_back(level_of[op.index()]);
  }
  return schedule;
}

}  // namespace tideline
