// Reads TFRecord files: a sequence of records, each framed by checksums.
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
  std::uint64_t at = 0;     ///< offset of the record, in bytes
  std::int64_t number = 0;  ///< counted from 1
};

/// What of a record is damaged.
enum class DamageKind : std::uint8_t {
  kTruncated,       ///< the bytes end inside it
  kLengthChecksum,  ///< its length is not to be trusted, so its end is not known
  kDataChecksum,
};
/// "truncated", "length_checksum", "data_checksum": as in JSON.
[[nodiscard]] const char* damage_name(DamageKind kind);

/// Why reading stopped before the end of the bytes.
struct RecordDamage {
  Severity severity = Severity::kDataLoss;
  std::string kind;
  std::string where;  ///< "record 17 at byte 247161: ..."
  DamageKind what = DamageKind::kTruncated;
  std::uint64_t at = 0;     ///< offset of the record
  std::uint64_t bytes = 0;  ///< that were not read for it; set by those who know the file's size
};

/// The length of the whole record that begins with `header` (kRecordHeaderBytes of it); nullopt if
/// the checksum does not match. It may be more than there is.
[[nodiscard]] std::optional<std::uint64_t> record_bytes(std::string_view header);

enum class DataChecksums : std::uint8_t { kCheck, kSkip };

/// Iterates over the records of `bytes`, which must outlive it. Stops at the first damage, as
/// TensorFlow's reader does: after a wrong length the next record cannot be found. A file that ends
/// inside a record is still being written, or was truncated; this is a notice.
/// Cost: O(bytes) with data checksums, O(records) without; checksums of lengths are always checked.
/// Allocates only to describe damage. Thread: not shared.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes, DataChecksums checksums = DataChecksums::kCheck)
      : bytes_(bytes), checksums_(checksums) {}
  /// For a part of a file: `bytes` begin at offset `first_at` with record number `first_number`.
  RecordReader(std::string_view bytes, std::uint64_t first_at, std::int64_t first_number)
      : bytes_(bytes), first_at_(first_at), number_(first_number) {}

  /// The next record; false at the end or at damage.
  [[nodiscard]] bool next(Record& record);
  [[nodiscard]] const std::optional<RecordDamage>& damage() const { return damage_; }
  /// Offset behind the last complete record.
  [[nodiscard]] std::uint64_t at() const { return first_at_ + at_; }

 private:
  bool cut_short(const char* what);
  bool corrupt(DamageKind kind);

  std::string_view bytes_;
  DataChecksums checksums_ = DataChecksums::kCheck;
  std::uint64_t first_at_ = 0;
  std::uint64_t at_ = 0;
  std::int64_t number_ = 1;
  std::optional<RecordDamage> damage_;
};

/// Whether `bytes` begin like an event file: with a length and its correct checksum, or else with
/// bytes that `io::sniff` recognises as an event file. Cost: O(1).
[[nodiscard]] bool is_event_file(std::string_view bytes);

}  // namespace tideline::events
