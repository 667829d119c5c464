// Which of the sources that gradients are linear in are the seeds of backward passes.
#pragma once

#include <vector>

#include "core/analysis/structure/seed_labels.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// The fewest sources, taken greedily, that all certain gradients depend on; best first. `labels`
/// are those of find. Cost: O(ops + labels log labels). Thread: pure but for `labels`, which may
/// add sets.
[[nodiscard]] std::vector<OpId> choose_seeds(const Graph& graph, const OpFactsTable& facts,
                                             SeedLabels& labels);

}  // namespace tideline
