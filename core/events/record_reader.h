// The framing of TFRecord files: records one after the other, each with checksums around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostics.h"

namespace tideline::events {

/// A record is its length (8 bytes, little endian), the masked checksum of the length (4), the
/// data, and the masked checksum of the data (4).
inline constexpr std::uint64_t kRecordHeaderBytes = 12;
inline constexpr std::uint64_t kRecordFooterBytes = 4;

struct Record {
  std::string_view data;
  std::uint64_t at = 0;     ///< where the record begins, in bytes
  std::int64_t number = 0;  ///< counted from 1
};

/// Why reading stopped before the end of the bytes.
struct RecordDamage {
  Severity severity = Severity::kDataLoss;
  std::string kind;
  std::string where;  ///< "record 17 at byte 247161: ..."
};

enum class DataChecksums : std::uint8_t { kCheck, kSkip };

/// Walks the records of `bytes`, which must outlive it. Stops at the first damage, as TensorFlow's
/// reader does: behind a wrong length nothing says where the next record begins. A file that ends
/// inside a record is one that is still being written, or was cut: a notice.
/// Cost: O(bytes) with checksums, O(records) without those of the data; those of the lengths are
/// always checked. No allocation but for the damage. Thread: one reader, one thread.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes, DataChecksums checksums = DataChecksums::kCheck)
      : bytes_(bytes), checksums_(checksums) {}

  /// The next record; false at the end or at damage.
  [[nodiscard]] bool next(Record& record);
  [[nodiscard]] const std::optional<RecordDamage>& damage() const { return damage_; }
  /// Bytes that were read as whole records.
  [[nodiscard]] std::uint64_t at() const { return at_; }

 private:
  bool cut_short(const char* what);
  bool corrupt(const char* what);

  std::string_view bytes_;
  DataChecksums checksums_;
  std::uint64_t at_ = 0;
  std::int64_t number_ = 1;
  std::optional<RecordDamage> damage_;
};

/// Whether `bytes` begin like an event file: with a length and its right checksum, or, where that
/// is damaged, with what `io::sniff` takes for one. Cost: O(1).
[[nodiscard]] bool is_event_file(std::string_view bytes);

}  // namespace tideline::events
