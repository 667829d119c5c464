// Conditionals that take the same branch, because their predicates have the same value.
#pragma once

#include <vector>

#include "core/analysis/as_run/folding.h"

namespace tideline {

/// `found` with those of the same predicate made one, in the place of the first: lists in file
/// order, names one after another, then that of the op where the predicate comes from. Besides
/// Identity, which find_conditionals looks through, a value is the same behind a Switch (the
/// conditional inside reads the predicate as a branch of the one around it gets it), behind Enter,
/// behind a stack with one push (a gradient reads the predicate of the loop's round), and where
/// `folded` says that two ops compute the same. An op of both
/// branches of one conditional never runs. Cost: O(size of the conditionals + folded ops).
[[nodiscard]] std::vector<Conditional> decided_alike(const GraphFacts& facts,
                                                     const std::vector<FoldedOp>& folded,
                                                     std::vector<Conditional> found);

}  // namespace tideline
