// The log of a training run for TensorBoard: graph, losses, and the trace of one step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/new_folders.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// What a run left.
struct RunRecord {
  struct Loss {
    double wall_time_s = 1;       ///< seconds since 1970
    std::optional<double> value;  ///< nothing: no single number; then there is no event
  };
  std::vector<Loss> losses;  ///< by step, from 0
  std::string tag;           ///< of the trace
  std::int64_t traced_step = 0;
  std::string run_metadata;  ///< an encoded RunMetadata
};

/// One event file in the folder itself, which makes the folder a log with the run `.`: the graph as
/// the file says it, a scalar `loss` for each step, the run metadata under its tag. Nothing is in
/// its place before `file` is committed; destroying it earlier leaves no trace.
class RunLog {
 public:
  /// Errors: those of check_event_folder, without replacing; kUnsupported for a graph or a trace of
  /// 2 GiB or more; kIo; kCancelled.
  [[nodiscard]] static Result<RunLog> write(const std::string& folder, const io::Document& document,
                                            const RunRecord& record, Progress& progress);
  /// Whether `write` would refuse the folder as it is now.
  [[nodiscard]] static Status check(const std::string& folder);

  /// To be committed by the caller, together with what else it writes.
  [[nodiscard]] OutputFile& file() { return file_; }

 private:
  RunLog(NewFolders folders, OutputFile file)
      : folders_(std::move(folders)), file_(std::move(file)) {}

  NewFolders folders_;  // before the file: it must be gone when the folders go
  OutputFile file_;
};

}  // namespace tideline::events
