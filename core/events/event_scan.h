// Finds the content of an event without decoding it: graphs stay spans of the file.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/io/wire.h"

namespace tideline::events {

/// The member of the event that is set.
enum class EventKind : std::uint8_t {
  kNothing,
  kFileVersion,
  kGraphDef,
  kMetaGraphDef,
  kRunMetadata,  ///< a TaggedRunMetadata
  kSummary,
  kLogMessage,
  kSessionLog,
};

/// One event. Views point into the record.
struct Event {
  double wall_time = 0;   ///< seconds since 1970
  std::int64_t step = 0;  ///< of training
  EventKind kind = EventKind::kNothing;
  std::string_view content;  ///< of the member that `kind` names
  int contents = 0;          ///< members that are set; of several the last one counts
};

/// Reads the fields of the Event in `record`. Everything except graphs and run metadata, which are
/// `bytes` fields of an event, gets the wire check. Errors: kCorrupt with the offset in the record.
/// Cost: O(bytes), not counting graphs and run metadata; no allocation. Thread: pure.
[[nodiscard]] Result<Event> scan_event(std::string_view record);

/// Run metadata and the tag under which they were logged.
struct TaggedBytes {
  std::string_view tag;
  std::string_view bytes;
};

/// The content of a kRunMetadata event.
[[nodiscard]] TaggedBytes tagged_run_metadata(std::string_view content);

/// One value of a summary: its tag, the plugin that displays it (some writers give it only with the
/// first value of a tag), and the first string of its tensor.
struct SummaryValue {
  std::string_view tag;
  std::string_view plugin;
  std::string_view text;
};

/// Iterates over the values in the content of a kSummary event. `next` returns false at the end.
class SummaryReader {
 public:
  explicit SummaryReader(std::string_view content) : fields_(content) {}
  [[nodiscard]] bool next(SummaryValue& value);

 private:
  io::FieldReader fields_;
};

}  // namespace tideline::events
