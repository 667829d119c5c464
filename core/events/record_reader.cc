#include "core/events/record_reader.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/io/graph_format.h"

namespace tideline::events {
namespace {

// `stored`: the checksum and what follows it.
bool has_checksum(std::string_view content, std::string_view stored) {
  return mask_crc(crc32c(content)) == leading_number<std::uint32_t>(stored);
}

bool header_is_sound(std::string_view header) {
  return has_checksum(header.substr(0, 8), header.substr(8));
}

}  // namespace

std::optional<std::uint64_t> record_bytes(std::string_view header) {
  if (!header_is_sound(header)) return std::nullopt;
  const auto length = leading_number<std::uint64_t>(header);
  constexpr std::uint64_t kAround = kRecordHeaderBytes + kRecordFooterBytes;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return length > kMost - kAround ? kMost : length + kAround;
}

const char* damage_name(DamageKind kind) {
  switch (kind) {
    case DamageKind::kTruncated: return "truncated";
    case DamageKind::kLengthChecksum: return "length_checksum";
    case DamageKind::kDataChecksum: return "data_checksum";
  }
  return "";
}

bool RecordReader::cut_short(const char* what) {
  damage_ = {
      Severity::kNotice, "event file that ends inside a record",
      fmt::format("record {} at byte {}: {}; the file is still being written, or was truncated",
                  number_, at(), what),
      DamageKind::kTruncated, at()};
  return false;
}

bool RecordReader::corrupt(DamageKind kind) {
  damage_ = {Severity::kDataLoss, "damaged event file; the records from there on are lost",
             fmt::format("record {} at byte {}: the checksum of the {} does not match", number_,
                         at(), kind == DamageKind::kDataChecksum ? "data" : "length"),
             kind, at()};
  return false;
}

bool RecordReader::next(Record& record) {
  if (damage_ || at_ == bytes_.size()) return false;
  const std::string_view rest = bytes_.substr(at_);
  if (rest.size() < kRecordHeaderBytes) return cut_short("the header is truncated");
  if (!header_is_sound(rest)) return corrupt(DamageKind::kLengthChecksum);
  const auto length = leading_number<std::uint64_t>(rest);
  const std::uint64_t left = rest.size() - kRecordHeaderBytes;
  if (left < kRecordFooterBytes || length > left - kRecordFooterBytes) {
    return cut_short("the data are truncated");
  }
  const std::string_view data = rest.substr(kRecordHeaderBytes, length);
  const std::string_view footer = rest.substr(kRecordHeaderBytes + length);
  if (checksums_ == DataChecksums::kCheck && !has_checksum(data, footer)) {
    return corrupt(DamageKind::kDataChecksum);
  }
  record = {data, at(), number_++};
  at_ += kRecordHeaderBytes + length + kRecordFooterBytes;
  return true;
}

bool is_event_file(std::string_view bytes) {
  if (bytes.size() >= kRecordHeaderBytes && header_is_sound(bytes)) return true;
  return io::sniff(bytes).kind == io::FileKind::kEventLog;
}

}  // namespace tideline::events
