// Problem: a tensor may lie in a hundred thousand slices. Comparing each with each takes minutes,
//   and marking every element takes memory for elements that no file has.
// Idea: a sum tells. In each dimension every place between two elements gets a random number f, and
//   a slice from a to b counts f(b) - f(a); its product over the dimensions is its weight. The
//   weights of slices that cover the tensor once add up to the weight of the whole tensor. If an
//   element lies in two slices or in none, the difference is a polynomial in the random numbers
//   that is not zero, of a degree as high as the tensor has dimensions: modulo a prime p it
//   vanishes by chance in at most rank / p of the cases (Schwartz 1980, Zippel 1979). With two
//   primes of 32 bits that is below 1e-14.
// Example: [4] in slices [0,2) and [2,4): (f(2) - f(0)) + (f(4) - f(2)) = f(4) - f(0).
// Tested by: unit/checkpoint/slice_cover_test.cc.
#include "core/checkpoint/slice_cover.h"

#include <array>

namespace tideline::checkpoint {
namespace {

constexpr std::array<std::uint64_t, 2> kPrimes = {4294967291U, 4294967279U};

// SplitMix64 of S. Vigna: equal for equal arguments, else without a visible connection.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

std::uint64_t number_at(std::size_t dimension, std::int64_t place, std::uint64_t prime) {
  return mixed(mixed(dimension + (prime << 32U)) ^ static_cast<std::uint64_t>(place)) % prime;
}

// The weight of the elements from `start` on, `length` in each dimension.
std::uint64_t weight_of(const std::vector<std::int64_t>& start,
                        const std::vector<std::int64_t>& length, std::uint64_t prime) {
  std::uint64_t weight = 1;
  for (std::size_t i = 0; i < length.size(); ++i) {
    const std::uint64_t from = number_at(i, start[i], prime);
    const std::uint64_t to = number_at(i, start[i] + length[i], prime);
    weight = weight * ((to + prime - from) % prime) % prime;
  }
  return weight;
}

}  // namespace

bool cover_once(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& dims) {
  const std::vector<std::int64_t> origin(dims.size());
  for (const std::uint64_t prime : kPrimes) {
    std::uint64_t sum = 0;
    for (const Piece& piece : pieces) {
      sum = (sum + weight_of(piece.start, piece.length, prime)) % prime;
    }
    if (sum != weight_of(origin, dims, prime)) return false;
  }
  return true;
}

}  // namespace tideline::checkpoint
