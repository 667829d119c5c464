// Moving averages that a forward pass keeps: batch normalisation.
#pragma once

#include "core/base/error.h"
#include "core/rewrite/replicate/cuts.h"

namespace tideline::replicate {

/// Checks that `writer`, which writes a value of the batch, moves an average: the value is
/// floating-point, depends on the variable itself, and nothing but other such writers reads the
/// result. Errors: kUnsupported, naming the op. Cost: O(ops of the short computation).
[[nodiscard]] Status check_moving_average(const Context& context, const Marks& marks, OpId writer);

/// The value that `writer` combines with its variable, cut so that the mean over the towers is
/// written. The mean is right because an average moves linearly with what it is moved by.
[[nodiscard]] std::vector<Cut> moving_average_cuts(const Context& context, const Marks& marks,
                                                   OpId writer);

}  // namespace tideline::replicate
