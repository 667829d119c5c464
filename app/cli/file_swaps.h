// What the verbs say of swaps that a file holds already.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/structure/graph_facts.h"
#include "core/graph/tensor_table.h"

namespace tideline::cli {

/// Each swap with its ops, as in `inspect --json` and `simulate --json`.
[[nodiscard]] nlohmann::ordered_json file_swaps_json(const Graph& graph, const TensorTable& tensors,
                                                     const SwapCopies& copies);

/// Why `tensor` is on the host for a while, or what it is a copy of, by the ops of the file; empty
/// if they do not copy it. One or more lines.
[[nodiscard]] std::string why_in_file(const GraphFacts& facts, const TensorTable& tensors,
                                      TensorId tensor);

}  // namespace tideline::cli
