// Tested by unit/checkpoint/verify_test.cc, which flips every bit of a checkpoint.
#include "core/checkpoint/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/crc32c.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/flipped_bit.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/slice_cover.h"
#include "core/checkpoint/string_tensor.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

constexpr Bytes kPartBytes = Bytes{4} << 20U;

std::string without_path(std::string_view message, std::string_view path) {
  if (message.starts_with(path) && message.substr(path.size()).starts_with(": ")) {
    message.remove_prefix(path.size() + 2);
  }
  return std::string(message);
}

class Verifier {
 public:
  Verifier(const Checkpoint& checkpoint, Progress& progress)
      : checkpoint_(checkpoint), progress_(progress), files_(checkpoint) {
    for (const StoredTensor& tensor : checkpoint.tensors) {
      total_ = saturating_add(total_, tensor.stored_bytes());
    }
  }

  Result<Verification> run() {
    for (const StoredTensor& tensor : checkpoint_.tensors) {
      TIDELINE_RETURN_IF_ERROR(report());
      ++found_.tensors;
      bool is_checked = !tensor.strings || tensor.strings_crc;
      if (tensor.strings) check_described_strings(tensor);
      if (tensor.is_sliced) check_cover(tensor);
      for (const Piece& piece : tensor.pieces) {
        is_checked = is_checked && (piece.crc || piece.packing);
        TIDELINE_RETURN_IF_ERROR(tensor.type == DataType::kString && !tensor.is_sliced
                                     ? check_strings(tensor, piece)
                                     : check_piece(tensor, piece));
      }
      if (!is_checked) ++found_.unchecked;
    }
    if (const auto check_rest = checkpoint_.format->check_rest) {
      TIDELINE_RETURN_IF_ERROR(check_rest(files_, found_, progress_));
    }
    return std::move(found_);
  }

 private:
  Status report() {
    if (!progress_.report("verifying", found_.bytes, total_)) return cancelled();
    return {};
  }

  // `what` may begin with the path of the file, which the entry names.
  void add(const std::string& tensor, const Piece& piece, std::string_view what) {
    const std::string& path = files_.path(piece);
    found_.damages.push_back(
        {tensor, path, piece.offset, piece.bytes, -1, without_path(what, path)});
  }

  void add_mismatch(const std::string& tensor, const Piece& piece, std::uint32_t crc) {
    const std::string what =
        fmt::format("its {} bytes at byte {} have the crc32c {:08x}; expected {:08x}", piece.bytes,
                    piece.offset, crc, *piece.crc);
    const auto flipped = find_flipped_bit(crc, *piece.crc, piece.bytes);
    if (!flipped) return add(tensor, piece, what);
    const std::int64_t offset = piece.offset + flipped->byte;
    found_.damages.push_back(
        {tensor, files_.path(piece), offset, 1, flipped->bit,
         fmt::format("bit {} of byte {} is flipped ({})", flipped->bit, offset, what)});
  }

  Status check_piece(const StoredTensor& tensor, const Piece& piece) {
    std::uint32_t crc = 0;
    for (Bytes at = 0; at < piece.bytes; at += kPartBytes) {
      const auto size = static_cast<std::size_t>(std::min(kPartBytes, piece.bytes - at));
      if (auto read = read_part(piece, at, size); !read) {
        add(tensor.name, piece, read.error().message);
        return {};
      }
      crc = crc32c({buffer_.data(), size}, crc);
      found_.bytes += static_cast<Bytes>(size);
      TIDELINE_RETURN_IF_ERROR(report());
    }
    if (piece.crc && *piece.crc != crc) add_mismatch(tensor.name, piece, crc);
    return {};
  }

  // The first byte tells whether the file is long enough for the whole, before space is taken.
  Status read_part(const Piece& piece, Bytes at, std::size_t size) {
    if (buffer_.size() < size) {
      char none = 0;
      TIDELINE_RETURN_IF_ERROR(files_.read(piece, 0, &none, 1));
      buffer_.resize(size);
    }
    return files_.read(piece, at, buffer_.data(), size);
  }

  // Their checksum is not one of the bytes as they lie there.
  Status check_strings(const StoredTensor& tensor, const Piece& piece) {
    const auto size = static_cast<std::size_t>(piece.bytes);
    if (Status read = size == 0 ? Status() : read_part(piece, 0, size); !read) {
      add(tensor.name, piece, read.error().message);
      return {};
    }
    found_.bytes += piece.bytes;
    const auto decoded = decode_strings({buffer_.data(), size}, tensor.element_count());
    if (!decoded) {
      add(tensor.name, piece,
          fmt::format("its {} bytes at byte {}: {}", piece.bytes, piece.offset,
                      decoded.error().message));
    } else if (piece.crc && *piece.crc != decoded->crc) {
      add(tensor.name, piece,
          fmt::format("its {} bytes at byte {} have the crc32c {:08x}; expected {:08x}",
                      piece.bytes, piece.offset, decoded->crc, *piece.crc));
    }
    return {};
  }

  // Strings that were read with the checkpoint itself.
  void check_described_strings(const StoredTensor& tensor) {
    found_.bytes += tensor.stored_bytes();
    const std::uint32_t crc = encode_strings(*tensor.strings).crc;
    if (!tensor.strings_crc || *tensor.strings_crc == crc) return;
    found_.damages.push_back({tensor.name, checkpoint_.path, 0, tensor.stored_bytes(), -1,
                              fmt::format("its strings have the crc32c {:08x}; expected {:08x}",
                                          crc, *tensor.strings_crc)});
  }

  // Slices of the tensor's size together, no two of which share an element, are all of it.
  void check_cover(const StoredTensor& tensor) {
    const auto whole = tensor_content_bytes(tensor.type, tensor.dims);
    const auto& pieces = tensor.pieces;
    if (tensor.stored_bytes() != whole) {
      add(tensor.name, pieces.front(),
          fmt::format("its slices have {} bytes together; expected {}", tensor.stored_bytes(),
                      whole.value_or(0)));
      return;
    }
    if (!cover_once(pieces, tensor.dims)) add(tensor.name, pieces.front(), "its slices overlap");
  }

  const Checkpoint& checkpoint_;
  Progress& progress_;
  DataFiles files_;
  Verification found_;
  Bytes total_ = 0;
  std::string buffer_;
};

}  // namespace

Result<Verification> verify(const Checkpoint& checkpoint, Progress& progress) {
  return Verifier(checkpoint, progress).run();
}

}  // namespace tideline::checkpoint
