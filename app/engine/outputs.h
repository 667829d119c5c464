// Writes a rewritten graph, its plan and its log to disk: all of them or none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/permissions.h"
#include "core/base/progress.h"
#include "core/events/graph_log.h"
#include "core/io/document.h"

namespace tideline::app {

/// Empty paths are not written.
struct OutputPaths {
  std::string graph = {};  ///< .pb, .pbtxt, .meta, or the folder of a SavedModel
  std::string plan = {};   ///< file
  std::string log = {};    ///< folder, for TensorBoard
  bool force = false;      ///< replace what exists
  Readers readers = {};    ///< who may read the inputs other than the graph
};

/// Writes `graph` with the surroundings of `document`, `plan` and a log, which has `events` beside
/// the graphs. They are open to those who may read all inputs. Returns sentences about what the
/// output format cannot represent. Errors: kInvalidArgument for outputs that exist or that are
/// inside the SavedModel being read; kUnsupported, kIo, kCancelled. Messages begin with the path.
[[nodiscard]] Result<std::vector<std::string>> write_outputs(
    const OutputPaths& paths, const io::Document& document, const Graph& graph,
    const std::string& plan, Progress& progress, const events::GraphLogEvents& events = {});

/// The canonical form of a path, whether or not the file exists.
[[nodiscard]] std::filesystem::path place_of(const std::string& path);
/// Whether `path` is inside `folder`.
[[nodiscard]] bool is_inside(const std::string& path, const std::string& folder);

}  // namespace tideline::app
