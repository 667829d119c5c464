// Which ops depend on the batch, and which on the seeds of the gradients.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/targets.h"

namespace tideline::replicate {

/// All by op.
struct Marks {
  std::vector<bool> above;           ///< the split tensors are made by these ops, or need them
  std::vector<bool> of_batch;        ///< not above, and its outputs depend on a split tensor
  std::vector<bool> backward;        ///< belongs to the backward pass
  std::vector<bool> of_seed;         ///< its outputs depend on a seed of the backward pass
  std::vector<bool> after_backward;  ///< outside of it, and depends on or waits for such an op
  std::vector<bool> of_gradient;     ///< the same, over data edges alone
};

/// Without a train op nothing is marked as backward. `gradient_scope`: ops whose names begin with
/// it, as whole components, are the backward pass; empty: it is found from edges. Errors: kNotFound
/// for a scope without ops. Cost: O(ops + edges).
[[nodiscard]] Result<Marks> find_marks(const Context& context, const Targets& targets,
                                       const std::string& gradient_scope);

}  // namespace tideline::replicate
