// Putting a rewritten graph, its plan and its log on the disk: all of them or none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::session {

/// What is empty is not written.
struct OutputPaths {
  std::string graph;   ///< .pb, .pbtxt, .meta, or the folder of a SavedModel
  std::string plan;    ///< file
  std::string log;     ///< folder, for TensorBoard
  bool force = false;  ///< replace what exists
};

/// Writes `graph` with the surroundings of `document`, and beside it `plan` and a log. Returns what
/// the format of the output cannot hold, as sentences. Errors: kInvalidArgument for what exists,
/// and for a place inside the SavedModel that is read; kUnsupported, kIo, kCancelled. Messages
/// begin with the path.
[[nodiscard]] Result<std::vector<std::string>> write_outputs(const OutputPaths& paths,
                                                             const io::Document& document,
                                                             const Graph& graph,
                                                             const std::string& plan,
                                                             Progress& progress);

/// The file that a path means, whether it exists or not, however it is spelled.
[[nodiscard]] std::filesystem::path place_of(const std::string& path);
/// Whether `path` names a place in the folder `folder`.
[[nodiscard]] bool is_inside(const std::string& path, const std::string& folder);

}  // namespace tideline::session
