// Source: RFC 1951 (deflate); PKWARE's APPNOTE.TXT 6.3 (the checksum of zip is CRC-32).
// Tested by unit/checkpoint/npz_test.cc.
#include "core/checkpoint/inflated_file.h"

#include <zlib.h>

#include <algorithm>

namespace tideline::checkpoint {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10U;
constexpr std::size_t kSkippedBytes = std::size_t{64} << 10U;
constexpr int kNoZlibHeader = -MAX_WBITS;

}  // namespace

struct InflatedFile::Inflater {
  Inflater() { is_ready = inflateInit2(&stream, kNoZlibHeader) == Z_OK; }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
  bool is_ready = false;
  bool has_ended = false;
};

InflatedFile::InflatedFile(const InputFile& file, const Packing& packing, Bytes bytes)
    : file_(file), packing_(packing), bytes_(bytes) {}

InflatedFile::~InflatedFile() = default;

Bytes most_unpacked_bytes(Packing::Kind kind, Bytes packed) {
  // A code of at least two bits makes at most 258 bytes.
  constexpr Bytes kMostGrowth = 1032;
  return kind == Packing::Kind::kStoredMember
             ? packed
             : checked_multiply(packed, kMostGrowth).value_or(packed);
}

Status InflatedFile::start() {
  at_ = 0;
  packed_at_ = 0;
  crc_ = static_cast<std::uint32_t>(crc32(0, nullptr, 0));
  if (packing_.kind == Packing::Kind::kStoredMember) return {};
  inflater_ = std::make_unique<Inflater>();
  if (!inflater_->is_ready) return fail(Code::kInternal, "zlib cannot be started");
  return {};
}

Status InflatedFile::read(Bytes at, char* to, std::size_t size) {
  if (at < at_ || (at_ == 0 && packed_at_ == 0)) TIDELINE_RETURN_IF_ERROR(start());
  std::string skipped;
  while (at_ < at) {
    skipped.resize(std::min(kSkippedBytes, static_cast<std::size_t>(at - at_)));
    TIDELINE_RETURN_IF_ERROR(unpack(skipped.data(), skipped.size()));
  }
  return unpack(to, size);
}

Status InflatedFile::fill() {
  auto& stream = inflater_->stream;
  if (stream.avail_in > 0) return {};
  const auto left = static_cast<std::size_t>(packing_.packed_bytes - packed_at_);
  buffer_.resize(kPackedBytes);
  TIDELINE_TRY(const std::size_t got,
               file_.read_at(static_cast<std::size_t>(packing_.offset + packed_at_), buffer_.data(),
                             std::min(left, buffer_.size())));
  packed_at_ += static_cast<Bytes>(got);
  stream.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream.avail_in = static_cast<uInt>(got);
  return {};
}

Status InflatedFile::unpack(char* to, std::size_t size) {
  if (packing_.kind == Packing::Kind::kStoredMember) {
    TIDELINE_TRY(const std::size_t got,
                 file_.read_at(static_cast<std::size_t>(packing_.offset + at_), to, size));
    if (got < size) return fail(Code::kCorrupt, "ends inside a member of the archive");
    packed_at_ += static_cast<Bytes>(size);
  } else {
    auto& stream = inflater_->stream;
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = static_cast<uInt>(size);
    while (stream.avail_out > 0) {
      TIDELINE_RETURN_IF_ERROR(fill());
      const int result = inflate(&stream, Z_NO_FLUSH);
      inflater_->has_ended = result == Z_STREAM_END;
      if (result == Z_OK || (result == Z_STREAM_END && stream.avail_out == 0)) continue;
      return fail(Code::kCorrupt, "a member at byte {} does not unpack to {} bytes",
                  packing_.offset, bytes_);
    }
  }
  crc_ = static_cast<std::uint32_t>(crc32_z(crc_, reinterpret_cast<const Bytef*>(to), size));
  at_ += static_cast<Bytes>(size);
  return at_ == bytes_ ? finish() : Status();
}

Status InflatedFile::finish() {
  // Behind the last byte the packed ones may say that there are no more.
  if (packing_.kind == Packing::Kind::kDeflatedMember && !inflater_->has_ended) {
    auto& stream = inflater_->stream;
    Bytef none = 0;
    int result = Z_OK;
    while (result == Z_OK) {
      TIDELINE_RETURN_IF_ERROR(fill());
      stream.next_out = &none;
      stream.avail_out = 1;
      result = inflate(&stream, Z_NO_FLUSH);
      if (stream.avail_out == 0) break;
    }
    if (result != Z_STREAM_END || stream.avail_out == 0) {
      return fail(Code::kCorrupt, "a member at byte {} does not unpack to {} bytes",
                  packing_.offset, bytes_);
    }
    inflater_->has_ended = true;
  }
  if (crc_ == packing_.zip_crc) return {};
  return fail(Code::kCorrupt,
              "a member at byte {} does not match its checksum (crc32 {:08x}; expected {:08x})",
              packing_.offset, crc_, packing_.zip_crc);
}

}  // namespace tideline::checkpoint
