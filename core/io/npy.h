// Reads and writes NumPy's .npy files: one array with its type and shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/source_bytes.h"
#include "core/graph/dtype.h"

namespace tideline::io {

/// What the header says, and where the elements begin.
struct NpyHead {
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::size_t bytes = 0;  ///< of the header, with what precedes it
};

/// No header has more bytes: `parse_npy_head` needs at most so many of a file.
inline constexpr std::size_t kMostNpyHeadBytes = (std::size_t{1} << 20U) + 12;

/// Reads the header at the beginning of `file`. Errors: as read_npy, without the path.
[[nodiscard]] Result<NpyHead> parse_npy_head(std::string_view file);

/// An opened file. `content` points into `source`.
struct NpyArray {
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::string_view content;
  SharedBytes source;
};

/// Opens a file of format 1.0, 2.0 or 3.0: little-endian, row-major, of an element type that
/// TensorFlow has. Errors: kNotFound, kIo; kCorrupt for other or truncated files; kUnsupported for
/// other byte orders, column-major order and other element types. Messages begin with the path.
/// Cost: O(bytes), in time and memory. Source: NumPy's format description (NEP 1).
[[nodiscard]] Result<NpyArray> read_npy(const std::string& path);
/// The same for bytes in memory; `path` is used in messages.
[[nodiscard]] Result<NpyArray> read_npy(const std::string& path, SharedBytes bytes);

/// The header of a file in format 1.0, to be followed by the elements in row-major order.
/// Errors: kUnsupported for an element type that NumPy lacks.
[[nodiscard]] Result<std::string> npy_head(DataType type, const std::vector<std::int64_t>& dims);

}  // namespace tideline::io
