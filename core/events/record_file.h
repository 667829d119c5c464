// Reads the records of a TFRecord file in the memory of its largest one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/events/record_reader.h"

namespace tideline::events {

/// Iterates over the records of a file, as far as it was written when it was opened. Damage is
/// judged as by RecordReader. A record is read once, so that what was checked is what is used.
/// Cost: O(bytes). Thread: not shared.
class RecordFile {
 public:
  explicit RecordFile(InputFile file) : file_(std::move(file)) {}

  /// The next record, whose data are valid until the following call; false at the end, at damage,
  /// or when the file cannot be read.
  [[nodiscard]] bool next(Record& record);
  [[nodiscard]] const std::optional<RecordDamage>& damage() const { return damage_; }
  /// Why it cannot be read: kIo, also for a file that was cut meanwhile.
  [[nodiscard]] const Status& status() const { return status_; }
  /// Offset behind the last complete record.
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }
  [[nodiscard]] Readers readers() const { return file_.readers(); }

 private:
  [[nodiscard]] bool fill(std::size_t wanted);
  [[nodiscard]] std::string_view window() const { return std::string_view(buffer_).substr(begin_); }

  InputFile file_;
  std::string buffer_;
  std::size_t begin_ = 0;      ///< in `buffer_`, of the next record
  std::uint64_t fetched_ = 0;  ///< bytes of the file that were read
  std::uint64_t at_ = 0;
  std::int64_t number_ = 1;
  std::optional<RecordDamage> damage_;
  Status status_;
};

}  // namespace tideline::events
