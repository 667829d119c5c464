#include "core/rewrite/lms_plan.h"

#include "core/graph/graph_edit.h"
#include "core/graph/verify.h"

namespace tideline {

Result<Graph> apply(const Graph& graph, const LmsPlan& plan) {
  GraphEdit edit(graph);
  for (const PlannedCopy& copy : plan.added) {
    NewOp op;
    op.name = copy.name;
    op.type = "Identity";
    op.device = copy.device;
    op.inputs = {copy.input};
    op.attributes.emplace_back("T", AttrValue::of_type(copy.type));
    if (copy.keep_from_grappler) {
      op.attributes.emplace_back("_grappler_do_not_remove", AttrValue::of_bool(true));
    }
    if (copy.shape) {
      op.attributes.emplace_back("_output_shapes", AttrValue::of_shapes({*copy.shape}));
    }
    edit.add_op(op);
  }
  for (const Reroute& reroute : plan.rerouted) edit.reroute(reroute.op, reroute.slot, reroute.to);
  for (const ControlEdge& edge : plan.control) edit.add_control(edge.op, edge.after);
  TIDELINE_TRY(Graph rewritten, edit.commit());
  if (Status status = verify_acyclic(rewritten); !status) {
    return fail(Code::kInternal, "the plan breaks the graph: {}", status.error().message);
  }
  return rewritten;
}

std::string added_operations(const LmsPlan& plan) {
  Bytes out = 0;
  Bytes in = 0;
  for (const PlannedSwap& swap : plan.swaps) {
    out = saturating_add(out, swap.bytes);
    for (std::size_t i = 0; i < swap.swap_ins.size(); ++i) in = saturating_add(in, swap.bytes);
  }
  const auto gib = [](Bytes bytes) { return static_cast<double>(bytes) / kBytesPerGiB; };
  return fmt::format(
      "Added {} operations to the model ({} swap-out operations ({:.2f} GiB) "
      "and {} swap-in operations ({:.2f} GiB))",
      plan.added.size(), plan.swap_out_count(), gib(out), plan.swap_in_count(), gib(in));
}

std::string op_name(const Graph& graph, const LmsPlan& plan, OpId op) {
  return op.index() < graph.op_count() ? std::string(graph.name(op))
                                       : plan.added[op.index() - graph.op_count()].name;
}

std::string tensor_name(const Graph& graph, const LmsPlan& plan, TensorId tensor) {
  return fmt::format("{}:{}", op_name(graph, plan, tensor.op), tensor.slot);
}

}  // namespace tideline
