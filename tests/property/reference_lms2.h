// LMS v2 once more, slow and obvious: sets of ops a level, forward searches, as the rules are
// written down. Only for comparison with the product; asynchronous mode, no serialisation.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/lms2/options.h"

namespace tideline::test {

struct SlowGroup {
  std::set<std::string> consumers;
  std::string trigger;  ///< empty: none
  friend bool operator==(const SlowGroup&, const SlowGroup&) = default;
};
/// Tensor -> its groups, in order.
using SlowPlan = std::map<std::string, std::vector<SlowGroup>>;

/// Level by level: what is ready is taken out, again and again.
[[nodiscard]] std::vector<int> slow_levels(const Graph& graph);
[[nodiscard]] SlowPlan slow_lms2(const Graph& graph, const Lms2Options& options);

}  // namespace tideline::test
