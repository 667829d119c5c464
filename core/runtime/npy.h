// Reads and writes NumPy's .npy files: one array with its type and shape.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/source_bytes.h"
#include "core/graph/dtype.h"
#include "core/runtime/tensor_value.h"

namespace tideline::runtime {

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

}  // namespace tideline::runtime
