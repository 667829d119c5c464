// Lists the traced steps of a log or file, and opens one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/source_bytes.h"
#include "core/events/event_log.h"
#include "core/graph/step_trace.h"

namespace tideline::events {

/// Run metadata with executions of ops. `bytes` are a copy.
struct LoggedTrace : TracedStep {
  SharedBytes bytes;
};

/// Selects a traced step of `path`. Empty members do not restrict the choice.
struct TraceChoice {
  std::string path;
  std::string run;  ///< of a log: a regular expression, or the whole name
  std::string tag;
  Pipes pipes = Pipes::kRefuse;  ///< whether the path may be a pipe
};

/// The traced steps of a log, in the order of the log. Run metadata without executions (as written
/// by TensorFlow 2) are counted in `diagnostics`. Errors and cost: as walk_log.
[[nodiscard]] Result<std::vector<LoggedTrace>> list_traces(const std::string& path,
                                                           Diagnostics& diagnostics,
                                                           Progress& progress);

/// The traced steps of a log that was read already; unreadable records are counted.
[[nodiscard]] std::vector<LoggedTrace> list_traces(const EventLog& log, Diagnostics& diagnostics);

/// Chooses a traced step, the last one of several in one run. Errors: kNotFound when there is none
/// or none matches, kInvalidArgument when several runs match; messages list the candidates.
/// Thread: pure.
[[nodiscard]] Result<LoggedTrace> choose_trace(const std::vector<LoggedTrace>& traces,
                                               const TraceChoice& choice, Diagnostics& diagnostics);

/// A trace and its origin in a log: "run '.', tag 'step024', step 24"; "" for a file.
struct OpenedTrace {
  StepTrace trace;
  std::string place;
  TracedStep chosen = {};               ///< of a log
  std::vector<TracedStep> others = {};  ///< all that could be chosen in that log, this one as well
};

/// Reads RunMetadata from a file, binary or text, or from the chosen event of an event file or log
/// folder. Errors: those of open_bytes, list_traces, choose_trace and read_run_metadata;
/// kInvalidArgument for run or tag without a log. Messages begin with the path. Cost: O(bytes).
[[nodiscard]] Result<OpenedTrace> open_trace(const TraceChoice& choice, Diagnostics& diagnostics,
                                             Progress& progress);

}  // namespace tideline::events
