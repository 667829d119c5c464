// Shapes and small tensors as they stand in the wire format.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/graph/node_codec.h"
#include "core/io/wire.h"

namespace tideline::io {

/// A TensorShapeProto. Errors: kCorrupt for a dim below -1.
[[nodiscard]] Result<Shape> decode_shape(std::string_view bytes);

/// A TensorProto: its type, shape, and its elements when they are whole numbers and at most
/// `most_elements`. Fewer values than elements: the last one is repeated, none at all means zeros.
/// Memory: O(most_elements), whatever the shape declares.
/// Errors: those of decode_shape; kCorrupt for an unknown dim or for values that do not fit.
[[nodiscard]] Result<TensorContent> decode_tensor(std::string_view bytes,
                                                  std::size_t most_elements);

/// Numbers of a repeated varint field, which may come one by one or packed.
template <typename Add>
void each_number(const Field& field, const Add& add) {
  if (field.type != WireType::kBytes) {
    add(field.varint);
    return;
  }
  const char* at = field.bytes.data();
  const char* end = at + field.bytes.size();
  std::uint64_t value = 0;
  while (at < end && read_varint(at, end, value)) add(value);
}

}  // namespace tideline::io
