// What the names and labels of a trace say.
#pragma once

#include <optional>
#include <string_view>

#include "core/graph/graph.h"
#include "core/graph/step_trace.h"

namespace tideline {

/// The op type that ran, from the label of a row: "Relu" of "conv1/Relu = Relu(conv1/add)"; "" when
/// the label has none.
[[nodiscard]] std::string_view traced_type(const TracedOp& row);

/// The tensor that the executor feeds through the op `name`: x:0 for "_arg_x_0_3".
[[nodiscard]] std::optional<TensorId> fed_tensor(const Graph& graph, std::string_view name);

/// Whether `allocator` allocates memory of `device` itself; ops of a GPU use host memory too.
[[nodiscard]] bool is_memory_of(std::string_view device, std::string_view allocator);
/// Whether `device`, as named in a trace, is a CPU.
[[nodiscard]] bool is_cpu_device(std::string_view device);

}  // namespace tideline
