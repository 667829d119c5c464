// The sets of the reference: which tensors its section manager feeds and caches for each section.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/rewrite/sections/report.h"

namespace tideline::sections {

/// What partialflow's `prepare_training` computes for a graph with a train op for each section,
/// named in the order of `scopes`; errors of the reference included. Sections are the scopes, by
/// name, without slashes at their ends. Lists are sorted by name. Precondition: there is one train
/// op for each scope. Errors: kNotFound for a train op that is not in the graph or a scope without
/// ops. `fetches`: ops or tensors that are fetched from a cycle, in this order, which matters where
/// the reference makes an op a member of a section on the way. Cost: O(ops + edges + tensors that
/// travel) for each section. Thread: pure.
[[nodiscard]] Result<SectionsReport> reference_sets(const Graph& graph,
                                                    const std::vector<std::string>& scopes,
                                                    const std::vector<std::string>& train_ops,
                                                    const std::vector<std::string>& fetches);

}  // namespace tideline::sections
