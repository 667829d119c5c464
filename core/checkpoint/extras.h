// What a format of plain arrays cannot say about a tensor: its checksum, a type that the format
// lacks, and strings. Kept as one JSON text beside the arrays, where other programs ignore it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

struct Extra {
  std::optional<std::uint32_t> crc;  ///< as Piece::crc
  std::optional<DataType> type;      ///< when it is not the one that the array has
  /// Of a tensor of strings, for which there is no array.
  std::vector<std::int64_t> dims;
  std::shared_ptr<const std::vector<std::string>> strings;
};

using Extras = std::map<std::string, Extra, std::less<>>;

/// {"schema": "tideline.checkpoint/1", "tensors": {NAME: {...}}}; bytes of strings as hexadecimal
/// digits. Errors: kUnsupported for a name that is not UTF-8.
[[nodiscard]] Result<std::string> extras_text(const Extras& extras);
/// Errors: kCorrupt, naming tensor and field.
[[nodiscard]] Result<Extras> parse_extras(std::string_view text);

/// The entry of a tensor of strings, and the tensor that such an entry describes.
[[nodiscard]] Extra describe_strings(const StoredTensor& tensor, std::vector<std::string> strings);
[[nodiscard]] StoredTensor described_strings(std::string name, const Extra& extra);

/// The type that stands for `type`, which a format lacks: an unsigned integer of the same size; for
/// complex128 two doubles, a dimension more. kInvalid for a type without a size.
[[nodiscard]] DataType carry(DataType type, std::vector<std::int64_t>& dims);

/// Gives `tensor`, an array as read, the type and the checksum of its entry: undoes `carry`.
/// Errors: kCorrupt when the type has another size.
[[nodiscard]] Status apply_extra(const Extra& extra, StoredTensor& tensor);

}  // namespace tideline::checkpoint
