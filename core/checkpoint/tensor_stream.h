// The values of a stored tensor, in row-major order and little-endian, read bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {

/// Reads a tensor of numbers in parts, of a type that TensorFlow lacks as it lies in the file. A
/// tensor in slices is put together in memory first. Errors: those of DataFiles::read; kCorrupt for
/// a wrong checksum, and for slices that overlap or leave something out; kUnsupported for strings
/// and other types without a size. Messages name file and tensor.
class TensorStream {
 public:
  /// Bytes of a part: a multiple of the size of every element.
  static constexpr std::size_t kPartBytes = std::size_t{4} << 20U;

  /// Both must outlive the stream.
  TensorStream(DataFiles& files, const StoredTensor& tensor) : files_(files), tensor_(tensor) {}

  /// The next whole elements, at most kPartBytes of them; empty at the end, and then the checksum
  /// was right. Valid until the next call.
  [[nodiscard]] Result<std::string_view> next();

 private:
  [[nodiscard]] Status check_crc(std::uint32_t crc, const Piece& piece) const;
  [[nodiscard]] Status assemble();
  [[nodiscard]] Status copy_slice(const Piece& piece, std::string_view bytes,
                                  std::vector<bool>& taken);

  DataFiles& files_;
  const StoredTensor& tensor_;
  std::string buffer_;
  Bytes at_ = 0;
  std::uint32_t crc_ = 0;
  bool is_assembled_ = false;
};

/// Calls `each(std::string_view)`, which gives a Status, for every part of a tensor of numbers.
/// Errors: as TensorStream, and those of `each`.
template <typename Each>
[[nodiscard]] Status for_each_part(DataFiles& files, const StoredTensor& tensor, const Each& each) {
  TensorStream stream(files, tensor);
  while (true) {
    TIDELINE_TRY(const std::string_view part, stream.next());
    if (part.empty()) return {};
    TIDELINE_RETURN_IF_ERROR(each(part));
  }
}

/// The same, which `progress` may cancel before each part. Errors: kCancelled, too.
template <typename Each>
[[nodiscard]] Status for_each_part(DataFiles& files, const StoredTensor& tensor, Progress& progress,
                                   const Each& each) {
  std::int64_t done = 0;
  return for_each_part(files, tensor, [&](std::string_view part) -> Status {
    if (!progress.report("reading", done, tensor.stored_bytes())) return cancelled();
    done += static_cast<std::int64_t>(part.size());
    return each(part);
  });
}

/// Whether the elements of a tensor are of a type that can be read as values. Errors: kUnsupported.
[[nodiscard]] Status check_has_values(const DataFiles& files, const StoredTensor& tensor);

/// All bytes of a tensor of numbers. Errors: as TensorStream, and as check_has_values.
[[nodiscard]] Result<std::string> read_tensor(DataFiles& files, const StoredTensor& tensor);

/// The CRC-32C of the whole tensor's bytes: as stored, or computed by reading it where the format
/// has none or the tensor lies in slices. Errors: as TensorStream; kCancelled.
[[nodiscard]] Result<std::uint32_t> content_crc(DataFiles& files, const StoredTensor& tensor,
                                                Progress& progress);

}  // namespace tideline::checkpoint
