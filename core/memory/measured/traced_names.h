// What the names and labels of a trace say.
#pragma once

#include <optional>
#include <string_view>

#include "core/graph/graph.h"
#include "core/graph/step_trace.h"

namespace tideline {

/// The type that ran, from the label of a row: "Relu" of "conv1/Relu = Relu(conv1/add)"; "" when
/// the label does not say.
[[nodiscard]] std::string_view traced_type(const TracedOp& row);

/// The tensor whose value the executor brings in as `name`: x:0 for "_arg_x_0_3".
[[nodiscard]] std::optional<TensorId> fed_tensor(const Graph& graph, std::string_view name);

/// Whether what `allocator` gives out is memory of `device` itself; a GPU's ops use host memory
/// too.
[[nodiscard]] bool is_memory_of(std::string_view device, std::string_view allocator);
[[nodiscard]] bool is_cpu_device(std::string_view device);

}  // namespace tideline
