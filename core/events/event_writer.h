// Writing of event files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// The file name of every run: time and host name are constants, so that output is reproducible.
inline constexpr const char* kEventFileName = "events.out.tfevents.0000000001.tideline";

/// Time of an event in seconds since 1970, not 0 because readers take 0 as missing, and its step.
struct EventTime {
  double wall_time_s = 1;
  std::int64_t step = 0;
};

/// The encoded fields with which every event begins.
[[nodiscard]] std::string event_head(const EventTime& time);

/// Writes the first record of every event file. Errors: kIo.
[[nodiscard]] Status append_version(OutputFile& out, double wall_time_s);

/// Writes an event with the GraphDef of `graph`, which is the document's or an edit of it; the body
/// of a function becomes a graph of its own. Errors: kUnsupported for 2 GiB or more, which no event
/// can hold; kIo; kCancelled.
[[nodiscard]] Status append_graph(OutputFile& out, const EventTime& time,
                                  const io::Document& document, const Graph& graph,
                                  Progress& progress);

/// Writes an encoded event. Errors: kUnsupported for 2 GiB or more; kIo.
[[nodiscard]] Status append_event(OutputFile& out, std::string_view event);

/// Checks that our event file may be written into `folder`, which need not exist. Errors:
/// kInvalidArgument when the file exists and `replace` is false, when there are event files of
/// other programs (which TensorBoard would mix with ours), or when the name is taken by something
/// else; kIo.
[[nodiscard]] Status check_event_folder(const std::string& folder, bool replace);

}  // namespace tideline::events
