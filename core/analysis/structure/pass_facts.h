// What the passes of a training graph are told from.
#pragma once

#include "core/analysis/structure/called_handles.h"
#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Of one graph, none of them owned. Thread: immutable.
struct PassFacts {
  const Graph& graph;
  const Consumers& consumers;
  const OpFactsTable& facts;
  const StackLinks& stacks;
  const GradientFlow& flow;
  const CalledHandles& calls;

  [[nodiscard]] const OpFacts& of(OpId op) const { return facts.of(graph, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return of(op).kind; }
  [[nodiscard]] bool writes_variable(OpId op) const {
    return kind(op) == OpKind::kUpdate || kind(op) == OpKind::kAssign;
  }
  [[nodiscard]] bool is_loop_op(OpId op) const {
    const OpKind is = kind(op);
    return is == OpKind::kEnter || is == OpKind::kExit || is == OpKind::kSwitch ||
           is == OpKind::kMerge || is == OpKind::kNextIteration || is == OpKind::kLoopCond;
  }
  [[nodiscard]] bool reads_only_shape(OpId op, std::uint32_t slot) const {
    return facts.reads_only_shape(graph, op, slot);
  }
};

}  // namespace tideline
