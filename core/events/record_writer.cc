#include "core/events/record_writer.h"

namespace tideline::events {
namespace {

template <typename Number>
std::string little_endian(Number value) {
  std::string bytes(sizeof value, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(value & 0xffU);
    value = static_cast<Number>(value >> 8U);
  }
  return bytes;
}

std::string header(std::uint64_t length) {
  const std::string bytes = little_endian(length);
  return bytes + little_endian(mask_crc(crc32c(bytes)));
}

}  // namespace

Result<RecordWriter> RecordWriter::begin(OutputFile& out, std::uint64_t length) {
  TIDELINE_RETURN_IF_ERROR(out.append(header(length)));
  return RecordWriter(out, length);
}

Status RecordWriter::append(std::string_view piece) {
  if (piece.size() > left_) return fail(Code::kInternal, "a record is longer than was said");
  left_ -= piece.size();
  crc_ = crc32c(piece, crc_);
  return out_->append(piece);
}

Status RecordWriter::finish() {
  if (left_ != 0) return fail(Code::kInternal, "a record is {} bytes too short", left_);
  return out_->append(little_endian(mask_crc(crc_)));
}

std::string framed(std::string_view data) {
  return header(data.size()) + std::string(data) + little_endian(mask_crc(crc32c(data)));
}

}  // namespace tideline::events
