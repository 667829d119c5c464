// The order of the rows of one series that several event files of a run hold.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tideline::events {

/// When the values of a file were written, in seconds since 1970. Empty: first > last.
struct TimeRange {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  /// NaN does not count.
  void add(double time) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
};

/// Rows of a series that stand one behind the other and come from the same file.
struct FilePart {
  std::uint32_t file = 0;
  std::uint32_t rows = 0;
  friend bool operator==(const FilePart&, const FilePart&) = default;
};
/// Appends `rows` rows of `file`. Cost: O(1).
void add_part(std::vector<FilePart>& parts, std::uint32_t file, std::size_t rows);

/// Whether the files were written one after the other, each in one part: then the rows are in order
/// as they are. `times` by file. Cost: O(parts).
[[nodiscard]] bool follow_each_other(std::span<const FilePart> parts,
                                     std::span<const TimeRange> times);

/// What the order depends on.
struct TimedStep {
  double wall_time = 0;
  std::int64_t step = 0;
};
struct RowOrder {
  std::vector<std::size_t> rows;        ///< the row that comes first, second, ...
  std::vector<std::uint64_t> restarts;  ///< places in `rows`
};
/// The rows by step, from one restart to the next; of one step by time. A restart is where a file
/// goes back to an earlier step, or where a file begins at an earlier step than another one had
/// reached that was complete by then. Files that are written at the same time take turns: they are
/// no restarts. Rows of one file stay in its order. `steps` has as many elements as the parts have
/// rows. Cost: O(rows log rows). Thread: pure.
[[nodiscard]] RowOrder order_of_rows(std::span<const TimedStep> steps,
                                     std::span<const FilePart> parts,
                                     std::span<const TimeRange> times);

}  // namespace tideline::events
