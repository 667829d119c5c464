#include "core/events/row_order.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace tideline::events {
namespace {

struct Row {
  std::uint32_t file = 0;
  double time = 0;
  std::int64_t step = 0;
};

struct Ordered {
  std::vector<std::int64_t> steps;
  std::vector<std::uint64_t> restarts;
  friend bool operator==(const Ordered&, const Ordered&) = default;
};
std::ostream& operator<<(std::ostream& out, const Ordered& ordered) {
  for (const std::int64_t step : ordered.steps) out << step << ' ';
  out << "restarts";
  for (const std::uint64_t restart : ordered.restarts) out << ' ' << restart;
  return out;
}

std::vector<FilePart> parts_of(const std::vector<Row>& rows) {
  std::vector<FilePart> parts;
  for (const Row& row : rows) add_part(parts, row.file, 1);
  return parts;
}

std::vector<TimeRange> times_of(const std::vector<Row>& rows) {
  std::vector<TimeRange> times(8);
  for (const Row& row : rows) times[row.file].add(row.time);
  return times;
}

RowOrder order_of(const std::vector<Row>& rows) {
  std::vector<TimedStep> steps;
  for (const Row& row : rows) steps.push_back({row.time, row.step});
  return order_of_rows(steps, parts_of(rows), times_of(rows));
}

Ordered ordered(const std::vector<Row>& rows) {
  RowOrder order = order_of(rows);
  Ordered result;
  for (const std::size_t row : order.rows) result.steps.push_back(rows[row].step);
  result.restarts = std::move(order.restarts);
  return result;
}

// A file that writes the steps one a second.
std::vector<Row> steps(std::uint32_t file, double begin, std::int64_t from, std::int64_t to) {
  std::vector<Row> rows;
  for (std::int64_t step = from; step < to; ++step) {
    rows.push_back({file, begin + static_cast<double>(step - from), step});
  }
  return rows;
}

template <typename... More>
std::vector<Row> all(std::vector<Row> rows, const More&... more) {
  (rows.insert(rows.end(), more.begin(), more.end()), ...);
  return rows;
}

}  // namespace

TEST_CASE("writers that take turns are no restarts, and their rows are by step") {
  const auto rows = all(steps(0, 0, 0, 2), steps(0, 4, 4, 6), steps(1, 2, 2, 4), steps(1, 6, 6, 8));
  CHECK_FALSE(follow_each_other(parts_of(rows), times_of(rows)));
  CHECK(ordered(rows) == Ordered{{0, 1, 2, 3, 4, 5, 6, 7}, {}});
}

TEST_CASE("writers of the same steps at the same time are no restarts") {
  const auto rows = all(steps(0, 0, 0, 3), steps(1, 0.5, 0, 3), steps(2, 0.2, 0, 3));
  CHECK(ordered(rows) == Ordered{{0, 0, 0, 1, 1, 1, 2, 2, 2}, {}});
  // Of one step by time.
  CHECK(order_of(rows).rows == std::vector<std::size_t>{0, 6, 3, 1, 7, 4, 2, 8, 5});
}

TEST_CASE("a file that begins below what a complete one had reached is a restart") {
  const auto rows = all(steps(0, 0, 0, 5), steps(1, 100, 3, 6));
  CHECK(follow_each_other(parts_of(rows), times_of(rows)));
  CHECK(ordered(rows) == Ordered{{0, 1, 2, 3, 4, 3, 4, 5}, {5}});
  CHECK(ordered(all(steps(0, 0, 0, 5), steps(1, 100, 4, 6))) == Ordered{{0, 1, 2, 3, 4, 4, 5}, {}});
}

TEST_CASE("writers that take turns and begin again together are one restart") {
  const auto rows =
      all(steps(0, 0, 0, 3), steps(1, 0.5, 0, 3), steps(2, 10, 1, 4), steps(3, 10.5, 1, 4));
  CHECK(ordered(rows) == Ordered{{0, 0, 1, 1, 2, 2, 1, 1, 2, 2, 3, 3}, {6}});
}

TEST_CASE("a writer that goes on through a restart of another is cut there") {
  const std::vector<Row> through = {{2, 0, 0}, {2, 3, 3}, {2, 11, 4}, {2, 14, 6}};
  const auto rows = all(steps(0, 0, 0, 5), steps(1, 10, 3, 6), through);
  CHECK(ordered(rows) == Ordered{{0, 0, 1, 2, 3, 3, 4, 3, 4, 4, 5, 6}, {7}});
}

TEST_CASE("a file that goes back is a restart, also beside other writers") {
  CHECK(ordered({{0, 0, 0}, {0, 1, 1}, {0, 2, 0}, {0, 3, 1}}) == Ordered{{0, 1, 0, 1}, {2}});
  const auto rows = all(std::vector<Row>{{0, 0, 0}, {0, 2, 4}, {0, 4, 1}, {0, 6, 5}},
                        std::vector<Row>{{1, 1, 2}, {1, 5, 3}});
  CHECK(ordered(rows) == Ordered{{0, 2, 4, 1, 3, 5}, {3}});
}

TEST_CASE("files are in the order of time and not of their names") {
  const auto rows = all(steps(0, 100, 3, 6), steps(1, 0, 0, 5));
  CHECK_FALSE(follow_each_other(parts_of(rows), times_of(rows)));
  CHECK(ordered(rows) == Ordered{{0, 1, 2, 3, 4, 3, 4, 5}, {5}});
}

TEST_CASE("without times files follow each other as they are named") {
  std::vector<Row> rows = all(steps(0, 0, 0, 3), steps(1, 0, 1, 4));
  for (Row& row : rows) row.time = 1;
  CHECK(follow_each_other(parts_of(rows), times_of(rows)));
  CHECK(ordered(rows) == Ordered{{0, 1, 2, 1, 2, 3}, {3}});
  for (Row& row : rows) row.time = std::nan("");
  CHECK(follow_each_other(parts_of(rows), times_of(rows)));
  CHECK(ordered(rows) == Ordered{{0, 1, 2, 1, 2, 3}, {3}});
}

TEST_CASE("rows that were sorted and got more sort as if all had come at once") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    // Some writers, of which each may go back.
    std::vector<Row> rows;
    for (std::uint32_t file = 0; file < 4; ++file) {
      double time = static_cast<double>(random() % 30);
      std::int64_t step = random() % 10;
      for (std::uint32_t i = random() % 8; i > 0; --i) {
        rows.push_back({file, time, step});
        time += static_cast<double>(random() % 4);
        step = random() % 9 == 0 ? 0 : step + random() % 3;
      }
    }
    const RowOrder whole = order_of(rows);
    CHECK(whole.rows.size() == rows.size());
    // What was sorted before is given again in that order.
    std::vector<Row> sorted;
    for (const std::size_t row : whole.rows) sorted.push_back(rows[row]);
    const Ordered again = ordered(sorted);
    CHECK(again == ordered(rows));
    for (std::size_t i = 1; i < again.steps.size(); ++i) {
      const bool is_restart =
          std::find(again.restarts.begin(), again.restarts.end(), i) != again.restarts.end();
      if (!is_restart) CHECK(again.steps[i - 1] <= again.steps[i]);
    }
  }
}

}  // namespace tideline::events
