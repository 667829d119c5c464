// Writes the log of a training run for TensorBoard: graph, losses, and one traced step.
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

/// The results of a run.
struct RunRecord {
  struct Loss {
    double wall_time_s = 1;       ///< seconds since 1970
    std::optional<double> value;  ///< nullopt when it is not a scalar: no event is written
  };
  std::vector<Loss> losses;  ///< by step, from 0
  struct Trace {
    std::string tag;
    std::string run_metadata;  ///< encoded
  };
  std::int64_t traced_step = 0;
  std::vector<Trace> traces;  ///< of that step: one, or one for each run of a cycle
};

/// One event file directly in the folder, which makes the folder a log with the run `.`: the graph
/// as in its file, a scalar `loss` for each step, and the run metadata under their tags. Nothing is
/// visible before `file` is committed; destroying this earlier removes everything.
class RunLog {
 public:
  /// For those of `readers` who may read the graph's file. Errors: those of check_event_folder,
  /// without replacing; kUnsupported for a graph or a trace of 2 GiB or more; kIo; kCancelled.
  [[nodiscard]] static Result<RunLog> write(const std::string& folder, const io::Document& document,
                                            const RunRecord& record, Progress& progress,
                                            const Readers& readers = {});
  /// Checks whether `write` would refuse the folder as it is now.
  [[nodiscard]] static Status check(const std::string& folder);

  /// To be committed by the caller, together with its other outputs.
  [[nodiscard]] OutputFile& file() { return file_; }

 private:
  RunLog(NewFolders folders, OutputFile file)
      : folders_(std::move(folders)), file_(std::move(file)) {}

  NewFolders folders_;  // before the file: it must be gone when the folders go
  OutputFile file_;
};

}  // namespace tideline::events
