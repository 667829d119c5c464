// Which lines of the user's code made the ops of a graph that was read.
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/events/open_graph.h"
#include "core/graph/source_lines.h"
#include "core/io/document.h"
#include "core/rewrite/inline/inlining.h"

namespace tideline::app {

/// From the first of these that is there: the file that `choice` names, a file beside the graph
/// (io::debug_info_beside), the graph's own field. An op of an inlined call has the line of the op
/// in the function. `inlining`, which may be null, gave the graph of `document`. Names that no op
/// has are counted in `diagnostics`, and there is told what is wrong with a file that nobody named.
/// Errors: of the file that `choice` names, those of io::read_debug_info. Cost: nothing without
/// such information, else O(its bytes + ops).
[[nodiscard]] Result<SourceLines> read_lines(const events::GraphChoice& choice,
                                             const io::Document& document, const Inlining* inlining,
                                             Diagnostics& diagnostics);

}  // namespace tideline::app
