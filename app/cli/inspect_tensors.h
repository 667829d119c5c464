// The table of tensors that `inspect --tensors` prints.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline::cli {

enum class TensorFormat { kText, kCsv, kJson };

/// Prints one line for each tensor, in file order: name, op type, element type, shape, bytes. The
/// shape is "[?,28]", "?" for an unknown rank; bytes are counted as by LMS.
void print_tensors(const Graph& graph, const TensorTable& tensors, TensorFormat format);

}  // namespace tideline::cli
