// One dim of a shape, or one element of a small integer tensor, while shapes are inferred.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/shape.h"

namespace tideline {

/// A number, unknown, a symbol, or `multiple` times the batch size. A graph has one batch size: the
/// unknown dim 0 of whatever is fed. It is at least 1, and assumed not to equal a small number by
/// chance (a dim of 1 and a batch broadcast to the batch). Dims are non-negative; elements of
/// tensors need not be. A symbol is one unknown number, equal to itself alone; there are none
/// unless they are asked for (InferenceInput::with_symbols), and then no batch.
class Dim {
 public:
  constexpr Dim() = default;
  [[nodiscard]] static constexpr Dim of(std::int64_t number) { return {Kind::kNumber, number}; }
  [[nodiscard]] static constexpr Dim unknown() { return {}; }
  /// Precondition: multiple >= 1.
  [[nodiscard]] static constexpr Dim batch(std::int64_t multiple = 1) {
    return {Kind::kBatch, multiple};
  }
  [[nodiscard]] static constexpr Dim symbol(std::int64_t id) { return {Kind::kSymbol, id}; }

  [[nodiscard]] constexpr bool is_number() const { return kind_ == Kind::kNumber; }
  [[nodiscard]] constexpr bool is_batch() const { return kind_ == Kind::kBatch; }
  [[nodiscard]] constexpr bool is_symbol() const { return kind_ == Kind::kSymbol; }
  [[nodiscard]] constexpr bool is_unknown() const { return kind_ == Kind::kUnknown; }
  [[nodiscard]] constexpr bool is(std::int64_t number) const {
    return is_number() && value_ == number;
  }
  /// The number, the multiple of the batch, or the symbol's id; 0 for an unknown dim.
  [[nodiscard]] constexpr std::int64_t value() const { return value_; }
  /// As recorded in a file: the number, or -1.
  [[nodiscard]] constexpr std::int64_t recorded() const {
    return is_number() ? value_ : kUnknownDim;
  }
  [[nodiscard]] constexpr std::uint64_t hash() const {
    return static_cast<std::uint64_t>(value_) * 4 + static_cast<std::uint64_t>(kind_);
  }
  friend constexpr bool operator==(Dim, Dim) = default;

 private:
  enum class Kind : std::uint64_t { kUnknown, kNumber, kBatch, kSymbol };
  constexpr Dim(Kind kind, std::int64_t value) : kind_(kind), value_(value) {}
  Kind kind_ = Kind::kUnknown;
  std::int64_t value_ = 0;
};

using Dims = std::vector<Dim>;

/// Arithmetic whose result is unknown when it is not certain or overflows 64 bits.
[[nodiscard]] Dim add(Dim a, Dim b);
[[nodiscard]] Dim subtract(Dim a, Dim b);
[[nodiscard]] Dim multiply(Dim a, Dim b);
/// Rounded down. Unknown for a division by zero.
[[nodiscard]] Dim divide(Dim a, Dim b);
/// Rounded up.
[[nodiscard]] Dim divide_up(Dim a, Dim b);
[[nodiscard]] Dim remainder(Dim a, Dim b);
[[nodiscard]] Dim minimum(Dim a, Dim b);
[[nodiscard]] Dim maximum(Dim a, Dim b);

/// What is known when either `a` or `b` holds.
[[nodiscard]] Dim join(Dim a, Dim b);
/// What is known when both hold; nullopt when they contradict each other. A number and a batch do
/// not: the batch size then is that number.
[[nodiscard]] std::optional<Dim> meet(Dim a, Dim b);
/// The output dim of an elementwise op; nullopt when the dims do not broadcast.
[[nodiscard]] std::optional<Dim> broadcast(Dim a, Dim b);

/// "32", "?", "B", "128B"; "s7" for symbol 7.
[[nodiscard]] std::string to_string(Dim dim);

}  // namespace tideline
