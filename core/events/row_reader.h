// Reads the contents of rows of an event log: copies in memory, and parts of its files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/events/event_log.h"

namespace tideline::events {

/// The file of the last row that was read stays open, so one reader for all rows of a list is
/// faster than one a row. `log` must outlive it. Thread: not shared; several readers may read one
/// log.
class RowReader {
 public:
  explicit RowReader(const EventLog& log) : log_(log) {}

  /// The content of a row: the copy, or else the part of its file, whose checksum is checked again.
  /// Cost: O(bytes of the record), as a rule by one read.
  /// Errors: kIo and kNotFound for a file that is gone or was changed.
  [[nodiscard]] Result<std::string> read(const ValueRow& row);

 private:
  const EventLog& log_;
  std::optional<InputFile> file_;
  std::uint32_t opened_ = 0;  // index of `file_`
};

}  // namespace tideline::events
