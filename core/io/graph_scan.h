// One pass over an encoded GraphDef: checks its structure and adds its ops to a GraphBuilder.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/progress.h"
#include "core/graph/graph_builder.h"
#include "core/io/document.h"
#include "core/io/wire_check.h"

namespace tideline::io {

/// The first structural problem, if any, and whether the scan was cancelled.
struct ScanOutcome {
  std::optional<WireProblem> problem;
  bool was_cancelled = false;
};
/// Scans `document.graph_bytes` into `builder`; fills `fields` and `op_header_sizes`.
/// `depth` is the nesting of the GraphDef in the file (0, or 1 inside a MetaGraph).
/// Returns the first structural problem, if any. Stops early, without a problem, when the builder
/// has failed or `progress` cancels; `was_cancelled` is set in the latter case. Cost: O(bytes).
[[nodiscard]] ScanOutcome scan_graph(Document& document, int depth, GraphBuilder& builder,
                                     Progress& progress);

}  // namespace tideline::io
