// NumPy's .npy files: one array with its type and shape.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/graph/dtype.h"
#include "core/runtime/tensor_value.h"

namespace tideline::runtime {

/// An opened file; `content` looks into `source`.
struct NpyArray {
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::string_view content;
  SharedBytes source;
};

/// Formats 1.0, 2.0 and 3.0, little endian, elements row by row, of the types that TensorFlow has
/// too. Errors: kNotFound, kIo; kCorrupt for what is no such file or is cut off; kUnsupported for
/// other byte orders, column order and other element types. Messages begin with the path.
/// Cost: O(header); the elements are mapped, not read. Source: NumPy's format description (NEP 1).
[[nodiscard]] Result<NpyArray> read_npy(const std::string& path);
/// The same for bytes that are already there; `path` is for messages.
[[nodiscard]] Result<NpyArray> read_npy(const std::string& path, SharedBytes bytes);

/// The head of a file (format 1.0) whose elements, row by row, follow it.
/// Errors: kUnsupported for an element type that NumPy lacks.
[[nodiscard]] Result<std::string> npy_head(DataType type, const std::vector<std::int64_t>& dims);

}  // namespace tideline::runtime
