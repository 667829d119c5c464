// Who may read what is made of several files: whoever may read all of them.
#pragma once

#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/base/permissions.h"
#include "core/io/document.h"

namespace tideline::app {

/// Those who may read all of `paths`: files, or folders, which stand for the files in them. Pipes
/// and names of nothing do not count. Cost: O(files).
[[nodiscard]] Readers readers_of_inputs(const std::vector<std::string>& paths);

/// Those who may read the graph and the traced step, if there is one.
[[nodiscard]] Readers readers_of_graph(const io::Document& document,
                                       const MeasuredRunPtr& measured);

}  // namespace tideline::app
