// The rules of LMS v1 once more, slow and obvious: every question is a walk over the whole graph.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/lms1/options.h"

namespace tideline::test {

struct SlowLms1Plan {
  std::set<std::string> starting;
  std::map<std::string, int> order_of;  ///< ops without an order are not listed
  int backward_start = -1;
  /// (tensor, names of the consumers) -> name of the control op, empty when there is none.
  std::map<std::pair<std::string, std::set<std::string>>, std::string> swap_ins;
  friend bool operator==(const SlowLms1Plan&, const SlowLms1Plan&) = default;
};

/// For graphs without loops, references, filters by scope and inputs in no data path of a starting
/// op; all tensors can be copied.
[[nodiscard]] SlowLms1Plan slow_lms1(const Graph& graph, const Lms1Options& options);

}  // namespace tideline::test
