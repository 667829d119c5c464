// All elements of a tensor in the wire format, as numbers in memory or as texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/dtype.h"

namespace tideline::io {

/// A decoded TensorProto. `content` has the elements of a type with a size, little-endian, in
/// row-major order; `texts` has the elements of kString, as views into the encoded bytes.
struct TensorElements {
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::int64_t count = 0;
  std::string content;
  std::vector<std::string_view> texts;
};

/// Decodes `bytes`. If there are fewer values than elements the last one is repeated; none means
/// zeros. Errors: kCorrupt for an unknown dim, for more values than elements and for raw content of
/// another size; kUnsupported for a type without elements in the format, for more than `most_bytes`
/// of elements (texts count 16 each). Memory: O(most_bytes). Thread: pure.
/// Source: TensorFlow's tensor.proto; tensor_util.MakeNdarray for values that are left out.
[[nodiscard]] Result<TensorElements> decode_elements(std::string_view bytes,
                                                     std::uint64_t most_bytes);

/// Element `index` as a number; nullopt for complex numbers and texts. Integers beyond 2^53 lose
/// digits. Precondition: 0 <= index < count.
[[nodiscard]] std::optional<double> element_number(const TensorElements& tensor,
                                                   std::int64_t index);

/// The number in a TensorProto with a single element. False for any other.
[[nodiscard]] bool decode_number(std::string_view bytes, double& number);

}  // namespace tideline::io
