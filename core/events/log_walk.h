// Iterates over the graphs and traced steps in a log, in whichever events they were written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/source_bytes.h"
#include "core/events/event_log.h"
#include "core/events/event_scan.h"
#include "core/events/log_folder.h"
#include "core/events/record_reader.h"

namespace tideline::events {

/// A graph, a metagraph or run metadata in a log. Views are valid during the visit.
struct LogItem {
  EventKind kind = EventKind::kNothing;  ///< kGraphDef, kMetaGraphDef or kRunMetadata
  std::string_view tag;                  ///< of run metadata
  std::string_view content;
  const EventFile* file = nullptr;
  const Record* record = nullptr;
  const Event* event = nullptr;
  Readers readers;          ///< of the file
  std::int64_t number = 0;  ///< number of the record over all files, from 1

  /// A copy of the content, so that the file need not be kept for it.
  [[nodiscard]] SharedBytes copy() const { return own_bytes(std::string(content), readers); }
  /// "PATH: what", printable, for diagnostics.
  [[nodiscard]] std::string at_file(std::string_view what) const;
};
using LogVisitor = std::function<void(const LogItem&)>;

/// Calls `visit` for each item of the event file or log folder `path`, in the order of runs, files
/// and records. Damaged files are read up to the damage; events that do not parse are skipped, and
/// so are files that cannot be opened (an error if `path` is that file). All of this is counted in
/// `diagnostics`, as are Keras's layer graphs, which have no ops. Errors: those of find_event_files
/// and InputFile; kCancelled. Cost: one pass over the bytes, in the memory of the largest record.
[[nodiscard]] Status walk_log(const std::string& path, Diagnostics& diagnostics, Progress& progress,
                              const LogVisitor& visit);

/// The same for one file whose bytes are in memory.
[[nodiscard]] Status walk_log(const EventFile& file, const SharedBytes& bytes,
                              Diagnostics& diagnostics, Progress& progress,
                              const LogVisitor& visit);

/// The same for a log that was read already: only the records of its graphs and run metadata are
/// read again. Those that cannot be read any more are counted.
void walk_log(const EventLog& log, Diagnostics& diagnostics, const LogVisitor& visit);

/// The kind under which Keras's layer graphs are counted.
inline constexpr std::string_view kKerasLayers = "layer graph of a Keras model, which has no ops";

/// Whether `bytes` are an event file, judged by the first record; a damaged one is recognised by
/// the first fields of an event. Cost: O(1).
[[nodiscard]] bool is_log(std::string_view bytes);
/// The same for a regular file, of which only the beginning is read; false for anything else.
[[nodiscard]] bool is_log_file(const std::string& path);
/// kInvalidArgument, with what to do instead, for a file of another program (foreign_files.h).
[[nodiscard]] Status refuse_foreign_log(const std::string& path);

}  // namespace tideline::events
