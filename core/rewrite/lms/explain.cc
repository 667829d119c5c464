#include "core/rewrite/lms/explain.h"

namespace tideline {

Status explain_nothing(const RewriteInput& input, std::string_view why_nothing, LmsPlan& plan) {
  if (!plan.swaps.empty() || !plan.not_swapped.empty()) return {};
  TensorOptions compatible = input.sizes;
  compatible.model = SizeModel::kCompatible;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(*input.graph, compatible));
  const std::string_view why = plan.already_edited
                                   ? "the graph already has swap ops and is not changed"
                               : plan.necessary ? why_nothing
                                                : "LMS is not necessary, everything fits";
  for (const OpId op : input.graph->ops()) {
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      plan.not_swapped.push_back({{op, slot}, tensors.bytes({op, slot}), std::string(why)});
    }
  }
  return {};
}

}  // namespace tideline
