#include "core/analysis/structure/gradient_accumulators.h"

#include <algorithm>

#include "core/graph/walks.h"

namespace tideline {

OpId GradientAccumulators::behind_copies(OpId op) const {
  constexpr std::uint32_t kMostSteps = 8;  // what TensorFlow puts between the ops of such a loop
  return source_of_value(graph_, {op, 0}, kMostSteps,
                         [&](OpId at) { return kind(at) == OpKind::kView; })
      .op;
}

void GradientAccumulators::find(OpId merge) {
  if (kind(merge) != OpKind::kMerge) return;
  for (const TensorId input : graph_.inputs(merge)) {
    if (kind(input.op) != OpKind::kNextIteration || graph_.inputs(input.op).empty()) continue;
    const OpId sum = behind_copies(graph_.inputs(input.op)[0].op);
    const std::string_view type = graph_.type(sum);
    if (type != "Add" && type != "AddV2" && type != "AddN") continue;
    for (const TensorId term : graph_.inputs(sum)) {
      const OpId from = behind_copies(term.op);
      if (kind(from) != OpKind::kSwitch || graph_.inputs(from).empty() ||
          graph_.inputs(from)[0].op != merge) {
        continue;
      }
      is_accumulator_[merge.index()] = true;
      sum_term_[sum.value] = term.op;
    }
  }
}

bool GradientAccumulators::contains(OpId op, const std::vector<OpId>& before) const {
  if (is_accumulator_[op.index()]) return true;
  const OpKind is = kind(op);
  if (is != OpKind::kSwitch && is != OpKind::kExit && is != OpKind::kNextIteration) return false;
  return std::any_of(before.begin(), before.end(), [&](OpId producer) {
    if (is_accumulator_[producer.index()] || sum_term_.contains(producer.value)) return true;
    return kind(producer) == OpKind::kSwitch && !graph_.inputs(producer).empty() &&
           is_accumulator_[graph_.inputs(producer)[0].op.index()];
  });
}

}  // namespace tideline
