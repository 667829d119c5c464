// Shapes of tensors: dims with -1 for an unknown one, or no rank at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/graph/dtype.h"

namespace tideline {

inline constexpr std::int64_t kUnknownDim = -1;

/// A shape, possibly partial. Invariant: dims are -1 or non-negative; empty without a rank.
struct Shape {
  bool has_rank = false;
  std::vector<std::int64_t> dims;

  [[nodiscard]] static Shape unknown() { return {}; }
  [[nodiscard]] static Shape of(std::vector<std::int64_t> dims) { return {true, std::move(dims)}; }
  /// -1 when the rank is unknown.
  [[nodiscard]] std::int64_t rank() const {
    return has_rank ? static_cast<std::int64_t>(dims.size()) : -1;
  }
  [[nodiscard]] bool fully_known() const;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// "[?,28,28,32]", "[]" for a scalar, "?" for an unknown rank.
[[nodiscard]] std::string to_string(const Shape& shape);

/// Bytes of a tensor as the reference LMS counts them: an unknown dim 0 is the batch size (1 when
/// none is given), other unknown dims are 1, an unknown rank is 1 byte in all, an element of
/// unknown type counts like a float. Nullopt when the product does not fit 64 bits.
[[nodiscard]] std::optional<Bytes> tensor_bytes(const Shape& shape, DataType type,
                                                std::optional<std::int64_t> batch_size);

/// Whether tensor_bytes is a guess: unknown rank or type, or an unknown dim other than a dim 0 for
/// which a batch size is given.
[[nodiscard]] bool size_is_unknown(const Shape& shape, DataType type,
                                   std::optional<std::int64_t> batch_size);

}  // namespace tideline
