// Writes a log with a graph before and after a rewrite, for TensorBoard's Graphs page.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/new_folders.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// Encoded events that the runs of a log have beside the graph (summary_writer.h).
struct GraphLogEvents {
  std::vector<std::string> original;
  std::vector<std::string> rewritten;
};

/// A log folder with the runs `original` and `rewritten`, each an event file with the GraphDef; for
/// a function, with its body; and with further events, if there are some. File names and timestamps
/// are constants (one second after 1970: 0 would read as missing), so that the same graphs give the
/// same bytes. Constants are written in full: TensorBoard omits large attributes itself. Nothing is
/// visible before `files` are committed; destroying this earlier removes everything, new folders
/// included.
class GraphLog {
 public:
  /// Writes both runs to temporary files, for those of `readers` who may read the graph's file.
  /// Errors: those of `check`; kUnsupported for an event of 2 GiB or more, which no reader takes;
  /// kIo; kCancelled. Messages begin with the path.
  [[nodiscard]] static Result<GraphLog> write(const std::string& folder, bool replace,
                                              const io::Document& document, const Graph& rewritten,
                                              Progress& progress, const GraphLogEvents& events = {},
                                              const Readers& readers = {});

  /// Checks whether `write` would refuse the folder as it is now. Errors: kInvalidArgument when one
  /// of the runs exists and `replace` is false, when a run's folder has event files of other
  /// programs (which TensorBoard would mix with ours), or when the name of a folder is taken by
  /// something else; kIo.
  [[nodiscard]] static Status check(const std::string& folder, bool replace);

  /// The paths of the files that are written, in the order of the runs.
  [[nodiscard]] static std::vector<std::string> paths(const std::string& folder);

  /// To be committed by the caller, together with its other outputs.
  [[nodiscard]] std::vector<OutputFile>& files() { return files_; }

 private:
  NewFolders folders_;  // before the files: they must be gone when the folders go
  std::vector<OutputFile> files_;
};

}  // namespace tideline::events
