#include "core/events/record_writer.h"

#include "core/base/bytes.h"

namespace tideline::events {
namespace {

std::string header(std::uint64_t length) {
  std::string bytes;
  append_little_endian(bytes, length);
  append_little_endian(bytes, mask_crc(crc32c(bytes)));
  return bytes;
}

std::string footer(std::uint32_t crc) {
  std::string bytes;
  append_little_endian(bytes, mask_crc(crc));
  return bytes;
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
  return out_->append(footer(crc_));
}

std::string framed(std::string_view data) {
  return header(data.size()) + std::string(data) + footer(crc32c(data));
}

}  // namespace tideline::events
