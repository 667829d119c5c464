#include "core/graph/shapes/dim.h"

#include <algorithm>
#include <limits>

namespace tideline {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

Dim number_or_unknown(std::optional<std::int64_t> number) {
  return number ? Dim::of(*number) : Dim::unknown();
}

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

// Whether a / b can be computed at all.
bool divides_safely(std::int64_t a, std::int64_t b) {
  return b != 0 && !(a == kLeast && b == -1);
}

}  // namespace

Dim add(Dim a, Dim b) {
  if (a.is_number() && b.is_number()) return number_or_unknown(checked_add(a.value(), b.value()));
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (!a.is_batch() || !b.is_batch()) return Dim::unknown();
  const auto sum = checked_add(a.value(), b.value());
  return sum ? Dim::batch(*sum) : Dim::unknown();
}

Dim subtract(Dim a, Dim b) {
  if (b.is(0)) return a;
  if (a.is_number() && b.is_number() && b.value() != kLeast) {
    return number_or_unknown(checked_add(a.value(), -b.value()));
  }
  if (a.is_batch() && b.is_batch() && a.value() > b.value()) {
    return Dim::batch(a.value() - b.value());
  }
  return Dim::unknown();
}

Dim multiply(Dim a, Dim b) {
  if (a.is(0) || b.is(0)) return Dim::of(0);
  if (a.is_number() && b.is_number()) {
    return number_or_unknown(checked_multiply(a.value(), b.value()));
  }
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (b.is_batch()) std::swap(a, b);
  if (!a.is_batch() || !b.is_number() || b.value() < 0) return Dim::unknown();
  const auto multiple = checked_multiply(a.value(), b.value());
  return multiple ? Dim::batch(*multiple) : Dim::unknown();
}

Dim divide(Dim a, Dim b) {
  if (b.is(1)) return a;
  if (a.is_number() && b.is_number() && divides_safely(a.value(), b.value())) {
    const std::int64_t quotient = a.value() / b.value();
    const bool round_down = a.value() % b.value() != 0 && (a.value() < 0) != (b.value() < 0);
    return Dim::of(round_down ? quotient - 1 : quotient);
  }
  if (a.is_batch() && (b.is_number() || b.is_batch()) && b.value() > 0 &&
      a.value() % b.value() == 0) {
    const std::int64_t quotient = a.value() / b.value();
    return b.is_batch() ? Dim::of(quotient) : Dim::batch(quotient);
  }
  return Dim::unknown();
}

Dim divide_up(Dim a, Dim b) {
  if (a.is_number() && b.is_number() && a.value() > 0 && b.value() > 0) {
    return Dim::of((a.value() - 1) / b.value() + 1);
  }
  return divide(a, b);  // a batch is divided only where nothing is left over
}

Dim remainder(Dim a, Dim b) {
  if (a.is_number() && b.is_number() && b.value() > 0) {
    const std::int64_t rest = a.value() % b.value();
    return Dim::of(rest < 0 ? rest + b.value() : rest);
  }
  if (a.is_batch() && b.is_number() && b.value() > 0 && a.value() % b.value() == 0) {
    return Dim::of(0);
  }
  return Dim::unknown();
}

Dim minimum(Dim a, Dim b) {
  if (a == b) return a;
  if (a.is_number() && b.is_number()) return Dim::of(std::min(a.value(), b.value()));
  if (a.is_batch() && b.is_batch()) return Dim::batch(std::min(a.value(), b.value()));
  if (b.is_batch()) std::swap(a, b);
  // k batches are at least k.
  if (a.is_batch() && b.is_number() && b.value() <= a.value()) return b;
  return Dim::unknown();
}

Dim maximum(Dim a, Dim b) {
  if (a == b) return a;
  if (a.is_number() && b.is_number()) return Dim::of(std::max(a.value(), b.value()));
  if (a.is_batch() && b.is_batch()) return Dim::batch(std::max(a.value(), b.value()));
  if (b.is_batch()) std::swap(a, b);
  if (a.is_batch() && b.is_number() && b.value() <= a.value()) return a;
  return Dim::unknown();
}

Dim join(Dim a, Dim b) {
  return a == b ? a : Dim::unknown();
}

std::optional<Dim> meet(Dim a, Dim b) {
  if (a == b || b.is_unknown()) return a;
  if (a.is_unknown()) return b;
  if (a.is_number() && b.is_number()) return std::nullopt;
  if (a.is_number()) return a;
  if (b.is_number()) return b;
  return a;  // two multiples: the graph feeds more than one size; either is as good
}

std::optional<Dim> broadcast(Dim a, Dim b) {
  if (a == b || b.is(1)) return a;
  if (a.is(1)) return b;
  if (a.is_number() && b.is_number()) return std::nullopt;
  if (a.is_number()) return a;
  if (b.is_number()) return b;
  return Dim::unknown();
}

std::string to_string(Dim dim) {
  if (dim.is_unknown()) return "?";
  if (dim.is_number()) return std::to_string(dim.value());
  if (dim.is_symbol()) return "s" + std::to_string(dim.value());
  return dim.value() == 1 ? "B" : std::to_string(dim.value()) + "B";
}

}  // namespace tideline
