// Reads the records of a TFRecord file one by one, in the memory of a block.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/events/record_blocks.h"
#include "core/events/record_reader.h"

namespace tideline::events {

/// Iterates over the records of a file, as far as it was written when it was opened. Damage is
/// judged as by RecordReader. A record is read once, so that what was checked is what is used.
/// Cost: O(bytes). Memory: a block of RecordBlocks. Thread: not shared.
class RecordFile {
 public:
  explicit RecordFile(InputFile file) : blocks_(std::move(file)) {}

  /// The next record, whose data are valid until the following call; false at the end, at damage,
  /// or when the file cannot be read.
  [[nodiscard]] bool next(Record& record);
  [[nodiscard]] const std::optional<RecordDamage>& damage() const { return damage_; }
  /// Why it cannot be read: kIo, also for a file that was cut meanwhile.
  [[nodiscard]] const Status& status() const { return status_; }
  /// Offset behind the last complete record.
  [[nodiscard]] std::uint64_t at() const { return reader_ ? reader_->at() : blocks_.at(); }
  [[nodiscard]] std::uint64_t size() const { return blocks_.limit(); }
  [[nodiscard]] Readers readers() const { return blocks_.file().readers(); }

 private:
  [[nodiscard]] bool next_block();

  RecordBlocks blocks_;
  RecordBlock block_;
  std::optional<RecordReader> reader_;  ///< of the block
  std::optional<RecordDamage> damage_;
  Status status_;
};

}  // namespace tideline::events
