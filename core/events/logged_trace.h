// The traced steps of a log, or the one in a file: which there are, and which one is meant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/progress.h"
#include "core/graph/step_trace.h"

namespace tideline::events {

/// Run metadata with executions of ops. `bytes` keeps the mapped file alive.
struct LoggedTrace {
  std::string run;  ///< the folder, relative to the log; "." for the log itself
  std::string tag;
  std::int64_t step = 0;
  SharedBytes bytes;
};

/// Which traced step of `path` is meant; what is empty does not choose.
struct TraceChoice {
  std::string path;
  std::string run;  ///< of a log: regular expression, or the whole name
  std::string tag;
};

/// The traced steps of a log, in its order. Run metadata without executions (of TensorFlow 2) are
/// counted in `diagnostics`. Errors and cost: as walk_log.
[[nodiscard]] Result<std::vector<LoggedTrace>> list_traces(const std::string& path,
                                                           Diagnostics& diagnostics,
                                                           Progress& progress);

/// Of several steps of one run the last. Errors: kNotFound when there is none or nothing matches,
/// kInvalidArgument when several runs do; messages list what there is. Pure.
[[nodiscard]] Result<LoggedTrace> choose_trace(const std::vector<LoggedTrace>& traces,
                                               const TraceChoice& choice, Diagnostics& diagnostics);

/// A trace and the words for where it stood: "run '.', tag 'step024', step 24"; "" for a file.
struct OpenedTrace {
  StepTrace trace;
  std::string place;
};

/// Reads a file that holds RunMetadata, binary or text, or the one that is meant of an event file
/// or log folder. Errors: those of open_bytes, list_traces, choose_trace and read_run_metadata;
/// kInvalidArgument for run or tag without a log. Messages begin with the path.
[[nodiscard]] Result<OpenedTrace> open_trace(const TraceChoice& choice, Diagnostics& diagnostics,
                                             Progress& progress);

}  // namespace tideline::events
