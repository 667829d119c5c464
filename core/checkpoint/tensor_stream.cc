// Tested by unit/checkpoint/tensor_bundle_test.cc.
#include "core/checkpoint/tensor_stream.h"

#include <algorithm>
#include <cstring>

#include "core/base/crc32c.h"
#include "core/base/text.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {

Status TensorStream::check_crc(std::uint32_t crc, const Piece& piece) const {
  return compare_crc(files_, tensor_, piece, crc);
}

Result<std::string_view> TensorStream::next() {
  if (element_bytes(tensor_.type).value_or(0) == 0 && tensor_.foreign_type.empty()) {
    return fail(Code::kUnsupported, "{}: tensor '{}' is of type {}; expected one of numbers",
                files_.checkpoint().path, printable(tensor_.name), type_name(tensor_));
  }
  if (tensor_.is_sliced) {
    if (!is_assembled_) TIDELINE_RETURN_IF_ERROR(assemble());
    const auto at = static_cast<std::size_t>(at_);
    const auto part = std::string_view(buffer_).substr(at, kPartBytes);
    at_ += static_cast<Bytes>(part.size());
    return part;
  }
  const Piece& piece = tensor_.pieces.front();
  const auto size = static_cast<std::size_t>(std::min<Bytes>(piece.bytes - at_, Bytes{kPartBytes}));
  if (size == 0) {
    TIDELINE_RETURN_IF_ERROR(check_crc(crc_, piece));
    return std::string_view();
  }
  if (buffer_.size() < size) {
    // Space for what the file does not have is not worth asking for.
    char none = 0;
    if (at_ == 0) TIDELINE_RETURN_IF_ERROR(files_.read(piece, 0, &none, 1));
    buffer_.resize(size);
  }
  TIDELINE_RETURN_IF_ERROR(files_.read(piece, at_, buffer_.data(), size));
  const std::string_view part(buffer_.data(), size);
  if (piece.crc) crc_ = crc32c(part, crc_);
  at_ += static_cast<Bytes>(size);
  return part;
}

Status TensorStream::assemble() {
  const Bytes whole = tensor_content_bytes(tensor_.type, tensor_.dims).value_or(0);
  if (tensor_.stored_bytes() != whole) {
    return fail(Code::kCorrupt, "{}: tensor '{}': its slices have {} bytes together; expected {}",
                files_.checkpoint().path, printable(tensor_.name), tensor_.stored_bytes(), whole);
  }
  for (const Piece& piece : tensor_.pieces) {
    char none = 0;
    if (piece.bytes > 0) TIDELINE_RETURN_IF_ERROR(files_.read(piece, 0, &none, 1));
  }
  buffer_.resize(static_cast<std::size_t>(whole));
  std::vector<bool> taken(static_cast<std::size_t>(tensor_.element_count()));
  std::string bytes;
  for (const Piece& piece : tensor_.pieces) {
    bytes.resize(static_cast<std::size_t>(piece.bytes));
    if (!bytes.empty()) {
      TIDELINE_RETURN_IF_ERROR(files_.read(piece, 0, bytes.data(), bytes.size()));
    }
    TIDELINE_RETURN_IF_ERROR(check_crc(crc32c(bytes), piece));
    TIDELINE_RETURN_IF_ERROR(copy_slice(piece, bytes, taken));
  }
  is_assembled_ = true;
  return {};
}

// Rows of the last dimension lie together in both.
Status TensorStream::copy_slice(const Piece& piece, std::string_view bytes,
                                std::vector<bool>& taken) {
  if (bytes.empty()) return {};
  const std::size_t rank = tensor_.dims.size();
  const auto element = static_cast<std::size_t>(element_bytes(tensor_.type).value_or(1));
  const std::size_t row = rank == 0 ? 1 : static_cast<std::size_t>(piece.length.back());
  std::vector<std::int64_t> index(rank);
  for (std::size_t from = 0; from < bytes.size(); from += row * element) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      to = to * static_cast<std::size_t>(tensor_.dims[i]) +
           static_cast<std::size_t>(piece.start[i] + index[i]);
    }
    for (std::size_t i = 0; i < row; ++i) {
      if (taken[to + i]) {
        return fail(Code::kCorrupt, "{}: tensor '{}': its slices overlap", files_.checkpoint().path,
                    printable(tensor_.name));
      }
      taken[to + i] = true;
    }
    std::memcpy(buffer_.data() + to * element, bytes.data() + from, row * element);
    for (std::size_t i = rank < 2 ? 0 : rank - 1; i-- > 0;) {
      if (++index[i] < piece.length[i]) break;
      index[i] = 0;
    }
  }
  return {};
}

Status check_has_values(const DataFiles& files, const StoredTensor& tensor) {
  if (tensor.foreign_type.empty()) return {};
  return fail(Code::kUnsupported,
              "{}: tensor '{}' is of type {}, whose values are not read; expected a type of "
              "TensorFlow",
              files.checkpoint().path, printable(tensor.name), tensor.foreign_type);
}

Result<std::string> read_tensor(DataFiles& files, const StoredTensor& tensor) {
  TIDELINE_RETURN_IF_ERROR(check_has_values(files, tensor));
  std::string content;
  TIDELINE_RETURN_IF_ERROR(for_each_part(files, tensor, [&](std::string_view part) -> Status {
    content += part;
    return {};
  }));
  return content;
}

Result<std::uint32_t> content_crc(DataFiles& files, const StoredTensor& tensor,
                                  Progress& progress) {
  if (!tensor.is_sliced && tensor.pieces.front().crc) return *tensor.pieces.front().crc;
  std::uint32_t crc = 0;
  TIDELINE_RETURN_IF_ERROR(
      for_each_part(files, tensor, progress, [&](std::string_view part) -> Status {
        crc = crc32c(part, crc);
        return {};
      }));
  return crc;
}

}  // namespace tideline::checkpoint
