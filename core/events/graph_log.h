// A log with a graph before and after a rewrite, for TensorBoard's Graphs page.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/new_folders.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// The log folder DIR: the runs `original` and `rewritten`, each an event file with the GraphDef.
/// File names and time stamps are fixed, so that the same graphs give the same bytes; every time is
/// one second after 1970, because TensorBoard sorts runs by it and readers take a missing one for
/// nothing at all. Of a function's body the run shows
/// the body. Constants stay whole: TensorBoard leaves large attributes out when it serves.
/// Nothing is in its place before `files` are committed; destroying it earlier leaves no trace, of
/// new folders neither.
class GraphLog {
 public:
  /// Writes both runs, without putting them in their places.
  /// Errors: those of `check`; kUnsupported for a graph of 2 GiB or more, which no event can hold;
  /// kIo; kCancelled. Messages begin with the path.
  [[nodiscard]] static Result<GraphLog> write(const std::string& folder, bool replace,
                                              const io::Document& document, const Graph& rewritten,
                                              Progress& progress);

  /// Whether `write` would refuse the folder as it is now: kInvalidArgument when a run of ours is
  /// there and `replace` is false, when a run's folder holds event files of others (TensorBoard
  /// would mix them with ours; with `replace`, too), or when something else bears the name of a
  /// folder; kIo.
  [[nodiscard]] static Status check(const std::string& folder, bool replace);

  /// The files that are written, in the order of the runs, wherever they will lie.
  [[nodiscard]] static std::vector<std::string> paths(const std::string& folder);

  /// To be committed by the caller, together with what else it writes.
  [[nodiscard]] std::vector<OutputFile>& files() { return files_; }

 private:
  NewFolders folders_;  // before the files: they must be gone when the folders go
  std::vector<OutputFile> files_;
};

}  // namespace tideline::events
