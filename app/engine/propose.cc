// Tested by unit/engine/propose_test.cc.
#include "app/engine/propose.h"

#include <algorithm>
#include <utility>

#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

constexpr double kWantedShare = 0.8;  // of the peak without a plan
constexpr double kSlowFactor = 2.0;   // how many times as long a step may take with a plan

Bytes peak_before(const Snapshot& snapshot) {
  return snapshot.devices.front().peak_before();
}

bool lowers_peak(const Snapshot& snapshot) {
  return snapshot.devices.front().peak() < peak_before(snapshot);
}

Policy searched(const Snapshot& start) {
  Policy policy = start.policy;
  policy.budget.emplace().device =
      static_cast<Bytes>(kWantedShare * static_cast<double>(peak_before(start)));
  leave_to_search(policy);
  return policy;
}

// With the values of the trial that needs the least memory.
Policy of_least_peak(const TriedSettings& tried) {
  const auto& trials = tried.found.trials;
  const auto least = std::min_element(
      trials.begin(), trials.end(),
      [](const SearchTrial& a, const SearchTrial& b) { return a.device_peak < b.device_peak; });
  return tried.taken(static_cast<std::size_t>(least - trials.begin()));
}

}  // namespace

bool wants_proposal(const Snapshot& snapshot) {
  const Rewriter* rewriter = snapshot.policy.chosen();
  if (rewriter == nullptr || !rewriter->can_tune() || snapshot.policy.budget) return false;
  return !lowers_peak(snapshot) || snapshot.timing().factor() > kSlowFactor;
}

Result<std::shared_ptr<const Snapshot>> propose(SnapshotMaker& maker, const Snapshot& start,
                                                Progress& progress) {
  const Policy wanted = searched(start);
  const auto found = maker.make(wanted, start.profile, progress);
  if (!found && found.error().code == Code::kCancelled) return tl::unexpected(found.error());
  Policy policy = wanted;
  const auto tried = maker.tried_for(wanted, start.profile);
  if (found) {
    adopt_found(**found, policy);
  } else if (tried) {
    policy = of_least_peak(*tried);
  } else {
    return nullptr;
  }
  policy.budget.reset();
  const auto give_up = [&] {
    policy.chosen()->search->give_up(policy.values, start.graph->file->levels.count());
  };
  give_up();  // of what was not tried, as without swaps
  TIDELINE_TRY(auto proposed, maker.make(policy, start.profile, progress));
  if (lowers_peak(*proposed)) return proposed;
  leave_to_search(policy);
  give_up();
  TIDELINE_TRY(proposed, maker.make(policy, start.profile, progress));
  const bool is_better = proposed->devices.front().peak() < start.devices.front().peak();
  return is_better ? proposed : nullptr;
}

}  // namespace tideline::app
