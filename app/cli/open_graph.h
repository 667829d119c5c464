// GRAPH on the command line: whatever a path holds, opened as one graph.
#pragma once

#include "app/cli/commands.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::cli {

/// The graph that `argument` means: a file, a SavedModel folder, or the body of a function of it.
[[nodiscard]] Result<io::Document> open_graph(const GraphArgument& argument, Progress& progress,
                                              io::Cycles cycles = io::Cycles::kRefuse);

}  // namespace tideline::cli
