#include "core/analysis/structure/gradient_groups.h"

#include <algorithm>
#include <limits>

#include "core/analysis/structure/gradient_targets.h"

namespace tideline {

using Near = ForwardWalks::Near;

OpId GradientGroups::owner_of(OpId op, const std::vector<Near>& near) {
  const OpId group = gradient_group(graph_, op);
  const auto known = group_owner_.find(group.value);
  if (known != group_owner_.end()) return known->second;
  const OpId found = owner_of_group(op, group, near);
  if (found.valid()) group_owner_.emplace(group.value, found);
  return found;
}

OpId GradientGroups::owner_of_group(OpId op, OpId group, const std::vector<Near>& near) const {
  const auto all = graph_.control_inputs(group);
  const auto parts = all.first(std::min(all.size(), kMostGradientParts));
  std::vector<std::pair<OpId, int>> votes;
  for (const OpId part : parts) {
    const OpId forward = owner(part);
    if (!forward.valid() || is_incoming(part, parts, group)) continue;
    const auto vote = std::find_if(votes.begin(), votes.end(),
                                   [&](const auto& other) { return other.first == forward; });
    if (vote == votes.end()) {
      votes.emplace_back(forward, 1);
    } else {
      ++vote->second;
    }
  }
  if (!votes.empty()) {
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
  // Only the incoming gradient: an op that hands it on to several inputs.
  const OpId from = graph_.inputs(op)[0].op;
  if (kind(from) == OpKind::kSwitch) return owner(from);
  OpId best;
  int best_distance = std::numeric_limits<int>::max();
  for (const Near& one : near) {
    if (one.op == owner(from)) continue;
    const std::string_view type = graph_.type(one.op);
    const bool sums = type == "Add" || type == "AddV2" || type == "AddN";
    if (!sums && !walks_.hands_on(one.op)) continue;
    const int distance = one.distance + (sums ? 0 : 100);
    if (distance < best_distance) {
      best_distance = distance;
      best = one.op;
    }
  }
  return best.valid() ? best : owner(from);
}

// Whether `part` is the gradient that comes in: others are computed from it, or it goes out
// twice.
bool GradientGroups::is_incoming(OpId part, std::span<const OpId> parts, OpId group) const {
  TensorId seen;
  for (const Use use : some_uses(consumers_, part)) {
    if (gradient_group(graph_, use.consumer) != group) continue;
    const TensorId tensor = graph_.inputs(use.consumer)[use.slot];
    if (seen.op.valid() && seen == tensor) return true;
    seen = tensor;
  }
  return std::any_of(parts.begin(), parts.end(),
                     [&](OpId other) { return other != part && leads_to(part, other); });
}
bool GradientGroups::leads_to(OpId from, OpId to) const {
  std::vector<OpId> seen = {to};
  for (std::size_t i = 0; i < seen.size() && seen.size() < 16; ++i) {
    for (const TensorId input : graph_.inputs(seen[i])) {
      if (input.op == from) return true;
      if (reads_.carries(input.op) && std::find(seen.begin(), seen.end(), input.op) == seen.end()) {
        seen.push_back(input.op);
      }
    }
  }
  return false;
}

}  // namespace tideline
