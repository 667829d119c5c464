// A checkpoint as it lies on disk: names, types and shapes of tensors, and where their bytes are.
// The same for every format; reading values is the task of tensor_stream.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/graph/dtype.h"

namespace tideline::checkpoint {

struct CheckpointFormat;

/// How a file keeps a piece whose bytes do not lie in it as they are, or whose checksum is one of
/// more than these bytes. DataFiles::read undoes it.
struct Packing {
  enum class Kind : std::uint8_t {
    kTableEntry,    ///< in the entry `key` of a table, as numbers of a message (saved_slice.h)
    kStoredMember,  ///< of a zip archive
    kDeflatedMember,
  };
  Kind kind = Kind::kTableEntry;
  // Of a table.
  std::string key;
  DataType type = DataType::kInvalid;  ///< of the numbers
  // Of an archive.
  std::int64_t offset = 0;  ///< of the packed bytes in the file
  Bytes packed_bytes = 0;
  Bytes skipped = 0;          ///< unpacked bytes before the piece
  std::uint32_t zip_crc = 0;  ///< CRC-32 of all unpacked bytes
};

/// Bytes of a file that hold a tensor, or a slice of one.
struct Piece {
  std::uint32_t file = 0;  ///< index into Checkpoint::files
  std::int64_t offset = 0;
  Bytes bytes = 0;  ///< when unpacked
  /// CRC-32C, not masked; none if the format has no checksums. Of string tensors: see
  /// string_tensor.h.
  std::optional<std::uint32_t> crc;
  /// Of a slice: where it begins and how long it is in each dimension. Empty for a whole tensor.
  std::vector<std::int64_t> start = {};
  std::vector<std::int64_t> length = {};
  std::shared_ptr<const Packing> packing = {};  ///< null: the bytes lie at `offset`
};

struct StoredTensor {
  std::string name;
  DataType type = DataType::kInvalid;
  /// The name of a type that TensorFlow lacks, as the file has it ("F4"); `type` is kInvalid then.
  std::string foreign_type = {};
  std::vector<std::int64_t> dims;  ///< none negative
  bool is_sliced = false;
  std::vector<Piece> pieces;  ///< one for a tensor that is not sliced
  /// Strings of formats that have none: kept beside the tensors (extras.h). `pieces` is empty then.
  std::shared_ptr<const std::vector<std::string>> strings = {};
  std::optional<std::uint32_t> strings_crc = {};  ///< of `strings`, as Piece::crc

  /// Bytes on disk: the sum over the pieces, or over the strings.
  [[nodiscard]] Bytes stored_bytes() const;
  /// No overflow is possible: readers refuse shapes with more elements than 63 bits can count.
  [[nodiscard]] std::int64_t element_count() const;
};

struct Checkpoint {
  const CheckpointFormat* format = nullptr;  ///< format.h; never null in what was opened
  std::string path;                          ///< prefix, file or folder
  std::vector<std::string> files;     ///< with the data; a TensorFlow checkpoint may lack some
  std::vector<StoredTensor> tensors;  ///< by name, ascending, each once
  /// What whoever named the path should be told: a sentence each (find_checkpoint.h).
  std::vector<std::string> notes = {};

  /// Null if there is none of this name. Cost: O(log tensors).
  [[nodiscard]] const StoredTensor* find(std::string_view name) const;
};

/// "float32", or "F4" for a type that TensorFlow lacks; the second with the shape: "F4 [16]".
[[nodiscard]] std::string type_name(const StoredTensor& tensor);
[[nodiscard]] std::string type_and_shape(const StoredTensor& tensor);

/// The files that hold tensors and are not there. Cost: one look at each file.
[[nodiscard]] std::vector<std::string> missing_files(const Checkpoint& checkpoint);

/// The order of Checkpoint::tensors.
void sort_by_name(std::vector<StoredTensor>& tensors);

/// The product of `dims`; nullopt if it does not fit 63 bits or one is negative.
[[nodiscard]] std::optional<std::int64_t> count_elements(const std::vector<std::int64_t>& dims);

/// TensorFlow's limit on the rank.
inline constexpr std::size_t kMostDims = 254;

/// The type of a name as element_type_name gives it, of any type that TensorFlow has.
[[nodiscard]] std::optional<DataType> parse_stored_type(std::string_view name);

}  // namespace tideline::checkpoint
