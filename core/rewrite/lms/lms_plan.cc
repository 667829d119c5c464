#include "core/rewrite/lms/lms_plan.h"

#include <algorithm>

#include "core/rewrite/lms/report.h"

namespace tideline {

OpId add_swap_copy(const Graph& graph, const SwapCopy& copy, GraphPlan& plan) {
  NewOp op;
  op.name = copy.name;
  op.type = copy.op_type;
  op.device = copy.device;
  op.inputs = {copy.input};
  op.attributes.emplace_back("T", AttrValue::of_type(copy.type));
  op.attributes.emplace_back(kKeptFromGrappler, AttrValue::of_bool(true));
  if (copy.shape) {
    op.attributes.emplace_back("_output_shapes", AttrValue::of_shapes({*copy.shape}));
  }
  if (!copy.colocated_with.empty()) {
    AttrValue group;
    group.kind = AttrValue::Kind::kList;
    group.strings = {fmt::format("loc:@{}", copy.colocated_with)};
    op.attributes.emplace_back("_class", std::move(group));
  }
  return plan.add_op(graph, op);
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
      plan.edit.added.size(), plan.swaps.size(), gib(out), swap_in_count(plan.swaps), gib(in));
}

RewritePlan finished(const Graph& graph, LmsPlan plan) {
  RewritePlan made;
  made.edit = std::move(plan.edit);
  made.warnings = std::move(plan.warnings);
  if (!plan.risky.empty()) {
    const ControlEdge& first = plan.risky.front();
    Warning warning{
        "conditional",
        fmt::format("{} control edges come from ops that a conditional may skip, and what waits "
                    "for them is skipped too: the numbers can change. The first: {} waits for {}. "
                    "{{guard-conditionals}} leaves such edges out",
                    plan.risky.size(), made.edit.name(graph, first.op),
                    made.edit.name(graph, first.after)),
        "guard-conditionals", static_cast<std::int64_t>(plan.risky.size())};
    for (std::size_t i = 0; i < std::min(plan.risky.size(), kMostWarningPlaces); ++i) {
      warning.places.emplace_back(made.edit.name(graph, plan.risky[i].op));
    }
    made.warnings.push_back(std::move(warning));
  }
  made.report = std::make_shared<LmsReport>(std::move(static_cast<LmsFindings&>(plan)));
  return made;
}

}  // namespace tideline
