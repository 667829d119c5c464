// The second part of the essay in phases.cc: ends of the forward pass, and all that leads to them.
#include "core/analysis/structure/forward_pass.h"

#include <algorithm>
#include <utility>

#include "core/graph/walks.h"

namespace tideline {
namespace {

class ForwardPass {
 public:
  ForwardPass(const PassFacts& known, const SeedReach& reach)
      : known_(known), reach_(reach), forward_(known.graph), is_seed_(known.graph.op_count()) {
    for (const OpId seed : known.flow.seeds) is_seed_[seed.index()] = true;
  }

  std::vector<bool> run() {
    bool any = false;
    const auto reach = [&](OpId op) {
      if (reach_.after_seed[op.index()] || known_.flow.is_inner[op.index()]) return;
      any = forward_.add(op) || any;
    };
    const std::vector<bool> on_data = depends_on_data();
    for (const OpId op : known_.graph.ops()) {
      if (reach_.after_seed[op.index()] || reach_.is_update[op.index()]) continue;
      if (known_.kind(op) == OpKind::kAssign) {
        // Moving averages and counters of data; initial values depend on no data.
        const auto inputs = known_.graph.inputs(op);
        if (std::any_of(inputs.begin(), inputs.end(),
                        [&](TensorId input) { return on_data[input.op.index()]; })) {
          reach(op);
        }
      } else if (is_forward_end(op)) {
        reach(op);
      }
    }
    if (!any) {
      // The graph was cut to the update: what gradient ops kept is forward.
      for (const OpId op : known_.graph.ops()) {
        const OpFacts& facts = known_.of(op);
        if (facts.kind != OpKind::kGradient || !reach_.after_seed[op.index()]) continue;
        for (const auto* kept : {&facts.kept_inputs, &facts.kept_outputs, &facts.parameters}) {
          known_.facts.for_each_slot(known_.graph, op, *kept, [&](std::uint32_t slot) {
            const OpId input = known_.graph.inputs(op)[slot].op;
            if (!known_.is_loop_op(input) && known_.stacks.stack_of(input) == StackLinks::kNone)
              reach(input);
          });
        }
      }
    }
    std::vector<bool> stack_done(known_.stacks.count());
    while (const auto op = forward_.next()) {
      for (const TensorId input : known_.graph.inputs(*op)) reach(input.op);
      const std::uint32_t stack = known_.stacks.stack_of(*op);
      if (stack == StackLinks::kNone || !known_.of(*op).popped || stack_done[stack]) continue;
      stack_done[stack] = true;
      for (const OpId push : known_.stacks.pushes(stack)) reach(push);
    }
    return forward_.take();
  }

 private:
  [[nodiscard]] bool is_variable_read(OpId op) const {
    const auto inputs = known_.graph.inputs(op);
    return known_.kind(op) == OpKind::kRead ||
           (known_.kind(op) == OpKind::kView && !inputs.empty() &&
            known_.kind(inputs[0].op) == OpKind::kVariable);
  }
  // Whether `op` is an end: only summaries and checks read its content.
  [[nodiscard]] bool is_forward_end(OpId op) const {
    const OpFacts& facts = known_.of(op);
    if (known_.flow.is_constant[op.index()] || known_.is_loop_op(op)) return false;
    switch (facts.kind) {
      case OpKind::kAssign:
      case OpKind::kSave:
      case OpKind::kControl:
      case OpKind::kVariable:
      case OpKind::kSummary:
      case OpKind::kCheck:
      case OpKind::kConstant:
      case OpKind::kHost:
      case OpKind::kContainer:
      case OpKind::kQueue: return false;
      default: break;
    }
    if (!facts.metadata_inputs.empty() && facts.metadata_inputs.size() >= argument_count(op)) {
      return false;
    }
    for (const Use use : known_.consumers.data(op)) {
      const OpKind reader = known_.kind(use.consumer);
      // kControl: a result of a function, which its caller looks at.
      const bool looks_on = reader == OpKind::kSummary || reader == OpKind::kCheck ||
                            reader == OpKind::kControl || reader == OpKind::kHost ||
                            is_seed_[use.consumer.index()] ||
                            known_.reads_only_shape(use.consumer, use.slot);
      if (!looks_on) return false;
    }
    const bool is_source = facts.kind == OpKind::kPlaceholder || is_variable_read(op);
    const bool orders = !known_.consumers.control(op).empty() &&
                        (facts.kind == OpKind::kView || facts.kind == OpKind::kRandom);
    return !(known_.consumers.data(op).empty() && (is_source || orders));
  }
  [[nodiscard]] std::size_t argument_count(OpId op) const {
    const OpSignature* signature = known_.graph.signature(op);
    return signature == nullptr ? 0 : signature->inputs.size();
  }

  [[nodiscard]] std::vector<bool> depends_on_data() const {
    OpWalk depends(known_.graph);
    std::vector<bool> is_handle(known_.graph.op_count());
    for (const OpId op : known_.graph.ops()) {
      // A handle that is fed (an argument of a function) is a variable, no data.
      if (known_.kind(op) == OpKind::kCall) {
        const std::vector<HandleUse> uses = known_.calls.uses(known_.graph, op);
        for (std::size_t slot = 0; slot < uses.size(); ++slot) {
          if (!uses[slot].is_read && !uses[slot].is_written) continue;
          is_handle[known_.graph.inputs(op)[slot].op.index()] = true;
        }
      }
      for (const std::uint8_t argument : known_.of(op).resource_inputs) {
        if (argument < known_.graph.inputs(op).size()) {
          is_handle[known_.graph.inputs(op)[argument].op.index()] = true;
        }
      }
    }
    for (const OpId op : known_.graph.ops()) {
      const OpKind is = known_.kind(op);
      if ((is == OpKind::kPlaceholder && !is_handle[op.index()]) || is == OpKind::kInput) {
        depends.add(op);
      }
    }
    while (const auto op = depends.next()) {
      for (const Use use : known_.consumers.data(*op)) {
        if (known_.kind(use.consumer) != OpKind::kSave) depends.add(use.consumer);
      }
    }
    return depends.take();
  }

  const PassFacts& known_;
  const SeedReach& reach_;
  OpWalk forward_;
  std::vector<bool> is_seed_;
};

}  // namespace

std::vector<bool> find_forward_pass(const PassFacts& known, const SeedReach& reach) {
  return ForwardPass(known, reach).run();
}

}  // namespace tideline
