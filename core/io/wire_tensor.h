// Decodes shapes and small tensors from the wire format.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/graph/node_codec.h"
#include "core/io/wire.h"

namespace tideline::io {

/// A TensorShapeProto. Errors: kCorrupt for a dim below -1.
[[nodiscard]] Result<Shape> decode_shape(std::string_view bytes);

/// A TensorProto: its type, its shape and, if they are integers and at most `most_elements`, its
/// elements. If there are fewer values than elements the last one is repeated; none means zeros.
/// Memory: O(most_elements), whatever the shape declares.
/// Errors: those of decode_shape; kCorrupt for an unknown dim or for values that do not fit.
[[nodiscard]] Result<TensorContent> decode_tensor(std::string_view bytes,
                                                  std::size_t most_elements);

/// Calls `add` for the numbers of a repeated varint field, packed or not.
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
