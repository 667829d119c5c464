// Copies the options about tensor sizes into the option struct of a rewriter.
#pragma once

#include "core/graph/tensor_options.h"

namespace tideline {

template <typename Options>
void take_sizes(const TensorOptions& sizes, Options& options) {
  options.batch_size = sizes.batch_size;
  options.shapes = sizes.shapes;
  options.rounds = sizes.rounds;
  options.functions = sizes.functions;
  options.measured = sizes.measured;
  options.known = sizes.known;
}

}  // namespace tideline
