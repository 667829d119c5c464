// Plan files, applied to the graph that they are for.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::session {

/// The graph that the plan in `path` makes of the document's: an edit of it, to be written with its
/// surroundings. The plans of a chain are applied one after the other.
/// Errors: those of open_bytes, PlanFile and apply; kInvalidArgument when a plan is for other bytes
/// than those it is to be applied to; kCancelled. Messages begin with `path`.
[[nodiscard]] Result<Graph> apply_plan_file(const io::Document& document, const std::string& path,
                                            Progress& progress);

/// `graph`, an edit of the document's, as if it had been written and opened again. Of a SavedModel
/// the graph that is meant is there alone.
/// Errors: those of write_document and read_document. Cost: the bytes of the file, in memory.
[[nodiscard]] Result<io::Document> reopened(const io::Document& document, const Graph& graph,
                                            Progress& progress);

}  // namespace tideline::session
