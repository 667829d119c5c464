// The tensors of a graph as a table: what `inspect --tensors` prints.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline::cli {

enum class TensorFormat { kText, kCsv, kJson };

/// One line a tensor, in file order: name, op type, element type, shape, bytes. The shape is
/// "[?,28]", "?" for an unknown rank; bytes are those that LMS counts.
void print_tensors(const Graph& graph, const TensorTable& tensors, TensorFormat format);

}  // namespace tideline::cli
