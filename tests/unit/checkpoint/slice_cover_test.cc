#include "core/checkpoint/slice_cover.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

namespace tideline::checkpoint {
namespace {

Piece slice(std::vector<std::int64_t> start, std::vector<std::int64_t> length) {
  Piece piece;
  piece.start = std::move(start);
  piece.length = std::move(length);
  return piece;
}

// By marking elements one after the other.
bool cover_once_slowly(const std::vector<Piece>& pieces, std::int64_t rows, std::int64_t columns) {
  std::vector<int> marks(static_cast<std::size_t>(rows * columns));
  for (const Piece& piece : pieces) {
    for (std::int64_t i = 0; i < piece.length[0]; ++i) {
      for (std::int64_t k = 0; k < piece.length[1]; ++k) {
        ++marks[static_cast<std::size_t>((piece.start[0] + i) * columns + piece.start[1] + k)];
      }
    }
  }
  return std::all_of(marks.begin(), marks.end(), [](int mark) { return mark == 1; });
}

}  // namespace

TEST_CASE("slices cover a tensor once when marking its elements says so") {
  std::mt19937 random(1);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(limit));
  };
  int covered = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t rows = 1 + below(3);
    const std::int64_t columns = 1 + below(3);
    std::vector<Piece> pieces;
    for (std::int64_t count = below(5); count >= 0; --count) {
      const std::int64_t row = below(rows);
      const std::int64_t column = below(columns);
      pieces.push_back(slice({row, column}, {below(rows - row + 1), below(columns - column + 1)}));
    }
    const bool want = cover_once_slowly(pieces, rows, columns);
    covered += want ? 1 : 0;
    CHECK(cover_once(pieces, {rows, columns}) == want);
  }
  CHECK(covered > 500);
}

TEST_CASE("a scalar has one slice, an empty tensor any number of empty ones") {
  CHECK(cover_once({slice({}, {})}, {}));
  CHECK_FALSE(cover_once({slice({}, {}), slice({}, {})}, {}));
  CHECK(cover_once({slice({0, 0}, {0, 3}), slice({0, 1}, {0, 2})}, {0, 3}));
}

TEST_CASE("a hundred thousand slices are compared at once") {
  std::vector<Piece> pieces;
  for (std::int64_t i = 0; i < 100000; ++i) pieces.push_back(slice({i}, {1}));
  CHECK(cover_once(pieces, {100000}));
  pieces.back() = slice({0}, {1});
  CHECK_FALSE(cover_once(pieces, {100000}));
}

}  // namespace tideline::checkpoint
