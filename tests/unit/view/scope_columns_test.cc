#include "render/view/scope_columns.h"

#include <catch2/catch.hpp>

#include "render/view/labels.h"

namespace tideline::render {
namespace {

std::vector<ColumnItem> equal_items(std::size_t count) {
  return std::vector<ColumnItem>(count, ColumnItem{5, 2, false});
}

Rect rect_of(const Columns& columns, std::span<const ColumnItem> items, std::size_t i) {
  const Point at = columns.at[i];
  return {at.x, at.y, at.x + items[i].along, at.y + items[i].across};
}

void check_apart(const Columns& columns, std::span<const ColumnItem> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Rect rect = rect_of(columns, items, i);
    CHECK((rect.x0 >= 0 && rect.y0 >= 0 && rect.x1 <= columns.along + 1e-3F &&
           rect.y1 <= columns.across + 1e-3F));
    for (std::size_t j = 0; j < i; ++j)
      if (do_meet(rect, rect_of(columns, items, j))) FAIL_CHECK(j << " lies on " << i);
  }
}

}  // namespace

TEST_CASE("what reads stands in a later column, what reads nothing before its first reader") {
  const auto items = equal_items(5);  // a v b w c: a -> b -> c, v -> b, w -> c
  const std::vector<ColumnEdge> edges = {{0, 2}, {1, 2}, {2, 4}, {3, 4}};
  const Columns columns = place_in_columns(items, edges);
  CHECK(columns.at[0].x == columns.at[1].x);
  CHECK(columns.at[2].x == columns.at[3].x);
  CHECK(columns.at[0].x + 5 + kColumnGap == columns.at[2].x);
  CHECK(columns.at[2].x < columns.at[4].x);
  CHECK(columns.at[2].y < columns.at[3].y);  // beside what it reads; w reads nothing
  check_apart(columns, items);
}

TEST_CASE("an edge against the order changes nothing") {
  const auto items = equal_items(3);
  const std::vector<ColumnEdge> forward = {{0, 1}, {1, 2}};
  std::vector<ColumnEdge> cycle = forward;
  cycle.push_back({2, 0});
  CHECK(place_in_columns(items, cycle).at == place_in_columns(items, forward).at);
}

TEST_CASE("a long chain is broken into lines, each from left to right") {
  const auto items = equal_items(60);
  std::vector<ColumnEdge> edges;
  for (std::uint32_t i = 0; i + 1 < items.size(); ++i) edges.push_back({i, i + 1});
  const Columns columns = place_in_columns(items, edges);
  CHECK(columns.along < 3 * columns.across);
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const bool is_same_line = columns.at[i].y == columns.at[i + 1].y;
    CHECK((is_same_line ? columns.at[i].x < columns.at[i + 1].x : columns.at[i + 1].x == 0));
  }
  check_apart(columns, items);
}

TEST_CASE("many that stand beside each other make no tower") {
  const auto items = equal_items(200);
  const Columns columns = place_in_columns(items, {});
  CHECK(columns.across < 2 * columns.along);
  check_apart(columns, items);
}

TEST_CASE("those aside stand below, and order nobody") {
  std::vector<ColumnItem> items = equal_items(4);
  items[1].is_aside = true;
  const std::vector<ColumnEdge> edges = {{0, 1}, {1, 2}, {2, 3}};
  const Columns columns = place_in_columns(items, edges);
  CHECK(columns.at[0].x == columns.at[2].x);
  CHECK(columns.aside_across > columns.at[0].y);
  CHECK(columns.at[1].y > columns.aside_across);
  check_apart(columns, items);
}

TEST_CASE("no children take no room") {
  const Columns columns = place_in_columns({}, {});
  CHECK(columns.at.empty());
  CHECK(columns.across == 0);
}

}  // namespace tideline::render
