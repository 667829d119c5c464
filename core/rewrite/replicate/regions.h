// What is copied for every tower, and what is kept once.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/cuts.h"
#include "core/rewrite/replicate/marks.h"
#include "core/rewrite/replicate/options.h"
#include "core/rewrite/replicate/targets.h"

namespace tideline::replicate {

/// A variable that every tower has of its own.
struct MetricVariable {
  OpId variable;
  std::vector<OpId> initializers;
};

struct Regions {
  Marks marks;
  UpdateRegion update;              ///< empty without a train op
  std::vector<bool> is_read;        ///< by input of the targets: what no tower reads stays whole
  std::vector<bool> is_replicated;  ///< by op
  std::vector<OpId> replicated;     ///< in file order
  std::vector<MetricVariable> metrics;  ///< in file order
  std::vector<OpId> writers;            ///< of moving averages
  std::vector<std::string> notices;

  [[nodiscard]] bool has_copies(OpId op) const { return is_replicated[op.index()]; }
};

/// Errors: those of find_marks and find_update_region; kUnsupported, naming op and rule, for a
/// graph that cannot be replicated. Cost: O(ops + edges).
[[nodiscard]] Result<Regions> find_regions(const Context& context, const Targets& targets,
                                           const ReplicateOptions& options);

}  // namespace tideline::replicate
