// What a training graph is run for: its loss, its train op, the inputs whose first dim is the
// batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/graph/tensor_table.h"

namespace tideline {

struct TrainingRoles {
  std::optional<TensorId> loss;  ///< whose gradients are computed
  OpId train_op;                 ///< after which all variables are updated; invalid if none is
  std::vector<TensorId> inputs;  ///< fed, with the batch as their first dim; in file order
  /// Scopes around backward passes, as they are named; each once, in file order.
  std::vector<std::string> gradient_scopes;
};

/// For a user who names none of them. The loss is what the first seed has the shape of, or the
/// forward op whose gradient reads it first; the train op the last of those that wait
/// for all updates and only write variables or wait. Without a training graph nothing is found.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] TrainingRoles find_training_roles(const GraphFacts& facts,
                                                const TensorTable& tensors);

}  // namespace tideline
