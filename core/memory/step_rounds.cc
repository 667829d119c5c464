// Tested by unit/memory/loop_memory_test.cc.
#include "core/memory/step_rounds.h"

#include <algorithm>

namespace tideline {
namespace {

bool is_invariant(const Graph& graph, OpId enter) {
  const auto constant = graph.attribute(enter, "is_constant");
  return constant && *constant && (*constant)->boolean;
}

}  // namespace

StepRounds find_step_rounds(const LoopGraph& graph, const std::vector<LoopCount>& counts) {
  StepRounds found;
  found.loop_of = graph.frames.frame_of;
  found.roles.assign(graph.graph.op_count(), LoopRole::kNone);
  const auto set = [&](const std::vector<OpId>& ops, LoopRole role) {
    for (const OpId op : ops) found.roles[op.index()] = role;
  };
  for (std::size_t i = 0; i < graph.frames.frames.size(); ++i) {
    const WhileFrame& frame = graph.frames.frames[i];
    StepRounds::Loop loop;
    loop.parent = frame.parent;
    const std::int64_t entered = frame.parent == StepRounds::kNone
                                     ? 1
                                     : std::max<std::int64_t>(counts[frame.parent].rounds, 1);
    loop.rounds = std::max<std::int64_t>((counts[i].rounds + entered - 1) / entered, 1);
    loop.parallel = std::max<std::int64_t>(frame.parallel_iterations, 1);
    loop.is_backward = frame.forward != WhileFrame::kNone || frame.phase == Phase::kBackward;
    found.loops.push_back(loop);
    set(frame.enters, LoopRole::kEnter);
    set(frame.exits, LoopRole::kExit);
    set(frame.next_iterations, LoopRole::kNextIteration);
    set(frame.merges, LoopRole::kMerge);
    set(frame.switches, LoopRole::kSwitch);
    for (const OpId enter : frame.enters) {
      if (is_invariant(graph.graph, enter)) found.roles[enter.index()] = LoopRole::kInvariant;
    }
  }
  const Containers containers(graph.graph, graph.facts);
  for (const OpId op : graph.graph.ops()) {
    const std::string_view type = graph.graph.type(op);
    const ContainerUse what = containers.use_of(op);
    StepRounds::Use use;
    use.op = op;
    use.puts = what == ContainerUse::kPut || Containers::puts_all(type);
    if (what == ContainerUse::kNone && !use.puts) continue;
    use.container = containers.container_of(op);
    use.value_slot = Containers::value_slot(type);
    use.is_all = what == ContainerUse::kTakeAll || what == ContainerUse::kNone;
    use.is_stack = type.starts_with("Stack");
    use.clears = !use.puts && containers.clears(op);
    found.uses.push_back(use);
  }
  return found;
}

}  // namespace tideline
