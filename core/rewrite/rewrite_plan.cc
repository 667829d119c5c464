#include "core/rewrite/rewrite_plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/memory/step_time_text.h"

namespace tideline {

OpId add_swap_copy(const Graph& graph, const SwapCopy& copy, GraphPlan& plan) {
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
  return plan.add_op(graph, op);
}

std::string prediction_text(const PlanPrediction& prediction) {
  const Bytes before = prediction.device_peak_before, after = prediction.device_peak_bytes;
  std::string text = fmt::format("device memory of a step: {}", format_bytes(before));
  if (after == before) {
    text += ", unchanged";
  } else {
    const double change =
        static_cast<double>(after - before) / static_cast<double>(std::max(before, Bytes{1})) * 100;
    text += fmt::format(" before, {} after", format_bytes(after));
    // Two digits where whole per cent would say 0.
    text += std::abs(change) < 1 ? fmt::format(" ({:+.2g} %)", change)
                                 : fmt::format(" ({:+.0f} %)", change);
  }
  if (prediction.time) text += "; " + step_text(*prediction.time, true);
  return text;
}

std::string raised_peak_text(Bytes before, Bytes after) {
  if (after <= before) return "";
  return fmt::format("the swaps raise the peak of device memory from {} to {}",
                     format_bytes(before), format_bytes(after));
}

std::string added_operations(const RewritePlan& plan) {
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
      plan.edit.added.size(), plan.swap_out_count(), gib(out), plan.swap_in_count(), gib(in));
}

}  // namespace tideline
