// Tested by unit/checkpoint/tensor_bundle_test.cc and tests/integration/checkpoint_test.py.
#include "core/checkpoint/string_tensor.h"

#include <limits>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/base/text.h"
#include "core/graph/element_type.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

std::uint32_t with_length(std::uint32_t crc, std::uint64_t length) {
  std::string bytes;
  if (length <= std::numeric_limits<std::uint32_t>::max()) {
    append_little_endian(bytes, static_cast<std::uint32_t>(length));
  } else {
    append_little_endian(bytes, length);
  }
  return crc32c(bytes, crc);
}

}  // namespace

EncodedStrings encode_strings(const std::vector<std::string>& strings) {
  EncodedStrings encoded;
  for (const std::string& text : strings) {
    io::append_varint(encoded.bytes, text.size());
    encoded.crc = with_length(encoded.crc, text.size());
  }
  std::string lengths_crc;
  append_little_endian(lengths_crc, mask_crc(encoded.crc));
  encoded.crc = crc32c(lengths_crc, encoded.crc);
  encoded.bytes += lengths_crc;
  for (const std::string& text : strings) {
    encoded.bytes += text;
    encoded.crc = crc32c(text, encoded.crc);
  }
  return encoded;
}

Result<DecodedStrings> decode_strings(std::string_view bytes, std::int64_t count) {
  // Each has a length of at least a byte: a shape that claims more is found before space is taken.
  if (count < 0 || static_cast<std::uint64_t>(count) > bytes.size()) {
    return fail(Code::kCorrupt, "{} bytes cannot hold {} strings", bytes.size(), count);
  }
  DecodedStrings decoded;
  std::vector<std::uint64_t> lengths;
  lengths.reserve(static_cast<std::size_t>(count));
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t length = 0;
    if (!io::read_varint(at, end, length)) {
      return fail(Code::kCorrupt, "the lengths of its strings do not parse");
    }
    lengths.push_back(length);
    decoded.crc = with_length(decoded.crc, length);
  }
  if (end - at < 4) return fail(Code::kCorrupt, "ends among the lengths of its strings");
  const std::string_view lengths_crc(at, 4);
  if (from_little_endian(lengths_crc) != mask_crc(decoded.crc)) {
    return fail(Code::kCorrupt, "the lengths of its strings do not match their checksum");
  }
  decoded.crc = crc32c(lengths_crc, decoded.crc);
  at += 4;
  const std::string_view texts(at, static_cast<std::size_t>(end - at));
  for (const std::uint64_t length : lengths) {
    if (length > static_cast<std::uint64_t>(end - at)) {
      return fail(Code::kCorrupt, "a string of {} bytes reaches beyond the tensor", length);
    }
    decoded.strings.emplace_back(at, static_cast<std::size_t>(length));
    at += length;
  }
  if (at != end) return fail(Code::kCorrupt, "{} bytes follow its last string", end - at);
  decoded.crc = crc32c(texts, decoded.crc);
  return decoded;
}

Result<std::vector<std::string>> read_strings(DataFiles& files, const StoredTensor& tensor) {
  const std::string name = printable(tensor.name);
  if (tensor.strings) {
    const std::uint32_t crc = encode_strings(*tensor.strings).crc;
    if (!tensor.strings_crc || *tensor.strings_crc == crc) return *tensor.strings;
    return fail(Code::kCorrupt,
                "{}: tensor '{}': its strings do not match their checksum (crc32c {:08x}; expected "
                "{:08x})",
                files.checkpoint().path, name, crc, *tensor.strings_crc);
  }
  if (tensor.type != DataType::kString || tensor.pieces.size() != 1) {
    return fail(Code::kUnsupported, "{}: tensor '{}' is of type {}; expected strings",
                files.checkpoint().path, name, type_name(tensor));
  }
  const Piece& piece = tensor.pieces.front();
  std::string bytes;
  if (piece.bytes > 0) {
    char none = 0;
    TIDELINE_RETURN_IF_ERROR(files.read(piece, 0, &none, 1));
    bytes.resize(static_cast<std::size_t>(piece.bytes));
    TIDELINE_RETURN_IF_ERROR(files.read(piece, 0, bytes.data(), bytes.size()));
  }
  const auto decoded = decode_strings(bytes, tensor.element_count());
  if (!decoded) {
    return fail(decoded.error().code, "{}: tensor '{}' at byte {}: {}", files.path(piece), name,
                piece.offset, decoded.error().message);
  }
  TIDELINE_RETURN_IF_ERROR(compare_crc(files, tensor, piece, decoded->crc));
  return std::vector<std::string>(decoded->strings.begin(), decoded->strings.end());
}

}  // namespace tideline::checkpoint
