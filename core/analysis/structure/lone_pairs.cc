// A part of the essay in gradient_pairs.cc.
#include "core/analysis/structure/lone_pairs.h"

#include <algorithm>
#include <vector>

namespace tideline {
namespace {

// More are as good as many: the answer is for one alone.
constexpr std::size_t kMostCandidates = 64;

}  // namespace

OpId LonePairs::around_kept(OpId op) const {
  const OpFacts& known = facts_.of(graph_, op);
  if (known.kind != OpKind::kGradient || !known.bilinear.empty()) return {};
  std::vector<OpId> candidates;
  bool first = true;
  const auto narrow = [&](const Arguments& arguments, bool inputs, bool outputs) {
    facts_.for_each_slot(graph_, op, arguments, [&](std::uint32_t slot) {
      const TensorId tensor = reads_.behind(graph_.inputs(op)[slot]);
      const auto fits = [&](OpId forward) {
        return walks_.is_gradient_of(graph_.type_id(op), graph_.type_id(forward));
      };
      if (!first) {
        std::erase_if(candidates, [&](OpId forward) { return !touches(graph_, forward, tensor); });
        return;
      }
      first = false;
      if (outputs && fits(tensor.op)) candidates.push_back(tensor.op);
      if (!inputs) return;
      for (const Use use : some_uses(consumers_, tensor.op)) {
        if (graph_.inputs(use.consumer)[use.slot] == tensor && is_forward(use.consumer) &&
            fits(use.consumer) && candidates.size() < kMostCandidates &&
            std::find(candidates.begin(), candidates.end(), use.consumer) == candidates.end()) {
          candidates.push_back(use.consumer);
        }
      }
    });
  };
  const bool either = !known.kept_outputs.empty() && known.kept_outputs == known.kept_inputs;
  narrow(known.kept_outputs, either, true);
  if (!either) narrow(known.kept_inputs, true, false);
  narrow(known.parameters, true, false);
  return candidates.size() == 1 ? candidates.front() : OpId();
}

OpId LonePairs::around_read(OpId op) const {
  std::vector<OpId> fitting;
  bool first = true;
  for (const TensorId tensor : reads_.of(op)) {
    if (!first) {
      std::erase_if(fitting, [&](OpId forward) { return !touches(graph_, forward, tensor); });
      continue;
    }
    first = false;
    const auto consider = [&](OpId forward) {
      if (is_forward(forward) && fitting.size() < kMostCandidates &&
          walks_.is_made_of(graph_.type_id(forward), graph_.type_id(op)) &&
          std::find(fitting.begin(), fitting.end(), forward) == fitting.end()) {
        fitting.push_back(forward);
      }
    };
    consider(tensor.op);
    for (const Use use : some_uses(consumers_, tensor.op)) {
      if (graph_.inputs(use.consumer)[use.slot] == tensor) consider(use.consumer);
    }
  }
  return fitting.size() == 1 ? fitting.front() : OpId();
}

}  // namespace tideline
