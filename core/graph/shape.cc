#include "core/graph/shape.h"

#include <algorithm>

namespace tideline {

bool Shape::fully_known() const {
  return has_rank && std::none_of(dims.begin(), dims.end(),
                                  [](std::int64_t dim) { return dim == kUnknownDim; });
}

std::string to_string(const Shape& shape) {
  if (!shape.has_rank) return "?";
  std::string text = "[";
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) text += ",";
    text += shape.dims[i] == kUnknownDim ? "?" : std::to_string(shape.dims[i]);
  }
  return text + "]";
}

std::optional<Bytes> tensor_bytes(const Shape& shape, DataType type,
                                  std::optional<std::int64_t> batch_size) {
  constexpr std::int64_t kGuessedElementBytes = 4;
  if (!shape.has_rank) return 1;
  // An empty tensor has no bytes, however large its other dims are.
  if (std::find(shape.dims.begin(), shape.dims.end(), 0) != shape.dims.end()) return 0;
  std::optional<Bytes> bytes = element_bytes(type).value_or(kGuessedElementBytes);
  for (std::size_t i = 0; i < shape.dims.size() && bytes; ++i) {
    std::int64_t dim = shape.dims[i];
    if (dim == kUnknownDim) dim = i == 0 ? batch_size.value_or(1) : 1;
    bytes = checked_multiply(*bytes, dim);
  }
  return bytes;
}

bool size_is_unknown(const Shape& shape, DataType type, std::optional<std::int64_t> batch_size) {
  if (!shape.has_rank || !element_bytes(type)) return true;
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    if (shape.dims[i] == kUnknownDim && (i > 0 || !batch_size)) return true;
  }
  return false;
}

}  // namespace tideline
