// Events of a log that we write, and the one file of a run in which they stand.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// Seconds and a host name, as in every event file; both are fixed.
inline constexpr const char* kEventFileName = "events.out.tfevents.0000000001.tideline";

/// When an event was: seconds since 1970 (readers take 0 for nothing at all), and at which step.
struct EventTime {
  double wall_time_s = 1;
  std::int64_t step = 0;
};

/// The fields with which every event begins.
[[nodiscard]] std::string event_head(const EventTime& time);

/// The first record of every event file.
[[nodiscard]] Status append_version(OutputFile& out, double wall_time_s);

/// An event with the GraphDef of `graph` (the document's, or an edit of it), or with a function's
/// body as a graph of its own. Errors: kUnsupported for 2 GiB or more, which no event can hold;
/// kIo; kCancelled.
[[nodiscard]] Status append_graph(OutputFile& out, const EventTime& time,
                                  const io::Document& document, const Graph& graph,
                                  Progress& progress);

/// Whether our event file may be written into `folder`, which need not exist: kInvalidArgument when
/// it is there and `replace` is false, when there are event files of others (TensorBoard would mix
/// them with ours; with `replace`, too), or when something else bears the name; kIo.
[[nodiscard]] Status check_event_folder(const std::string& folder, bool replace);

}  // namespace tideline::events
