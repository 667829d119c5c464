// Tensors of strings, which TensorFlow's checkpoints store in a form of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {

/// Bytes as in a data file, and their checksum.
struct EncodedStrings {
  std::string bytes;
  std::uint32_t crc = 0;  ///< not masked
};

/// The lengths as varints, the masked CRC-32C of the lengths (as 32-bit numbers; 64-bit ones from
/// 4 GiB on), the strings. The tensor's checksum covers the lengths as numbers, that CRC as stored,
/// and the strings. Source: TensorFlow 2.15, tensor_bundle.cc, WriteStringTensor.
[[nodiscard]] EncodedStrings encode_strings(const std::vector<std::string>& strings);

/// Inverse of encode_strings. Errors: kCorrupt for lengths that do not fit or do not match their
/// checksum. The checksum of the whole is returned, not compared.
struct DecodedStrings {
  std::vector<std::string_view> strings;  ///< point into the bytes
  std::uint32_t crc = 0;
};
[[nodiscard]] Result<DecodedStrings> decode_strings(std::string_view bytes, std::int64_t count);

/// The strings of a tensor. Errors: those of DataFiles::read and of decode_strings, kCorrupt for a
/// wrong checksum; kUnsupported for another type. Messages name file and tensor.
[[nodiscard]] Result<std::vector<std::string>> read_strings(DataFiles& files,
                                                            const StoredTensor& tensor);

}  // namespace tideline::checkpoint
