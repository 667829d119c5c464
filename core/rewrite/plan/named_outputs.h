// Ops and tensors that the options of a rewriter name.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// The tensor "op:slot", or output 0 of "op". Errors: kNotFound, naming `option`. Whether the op
/// has that output is for check_output to say, since it takes the types of all tensors.
[[nodiscard]] Result<TensorId> find_named(const Graph& graph, std::string_view option,
                                          const std::string& name);

/// Errors: kNotFound, naming `option` and the op, if the op has no such output.
[[nodiscard]] Status check_output(const Graph& graph, const TensorTable& tensors,
                                  std::string_view option, TensorId tensor);

}  // namespace tideline
