// Problem: several processes of one training write to the folder of a run, each its own file. Read
//   one file after the other, their points go back and forth, and look as if training had begun
//   again from a checkpoint at every file.
// Idea: whether training began again is told by time. A file that begins when all of another one
//   has been written continues it, or begins again below the step that it had reached: a restart.
//   Files whose times overlap are of writers that work at the same time. Restarts divide time into
//   stretches, and in each of them the rows of all files are sorted by step.
// Example: file a has steps 0 1 4 5 at times 0 1 4 5, file b steps 2 3 6 at times 2 3 6. Sorted:
//   0 1 2 3 4 5 6, no restart. File c with steps 4 5 at times 8 9 begins again at 4, below 6.
// Limits: nothing but times tells writers from restarts. Where all times are the same, files count
//   as written one after the other, in the order of their names.
// Cost: O(rows log rows), only for series whose files overlap in time.
// Source: own. TensorBoard reads files by name, and of a training that began again drops the points
//   that are repeated (event_accumulator.py); here they stay.
// Tested by unit/events/row_order_test.cc.
#include "core/events/row_order.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace tideline::events {
namespace {

// When a row was written, with what decides between equal times: rank of its file, place in it.
struct Moment {
  double time = 0;
  std::uint32_t rank = 0;
  std::size_t at = 0;
  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.time, a.rank, a.at) < std::tie(b.time, b.rank, b.at);
  }
};

// The rows of one file in its order.
struct FileRows {
  TimeRange time;
  std::uint32_t file = 0;
  std::vector<std::size_t> rows;
  std::vector<double> times;  // of the rows; a clock that was set back stands still instead
};

// By the time at which they begin.
std::vector<FileRows> rows_by_file(std::span<const TimedStep> steps,
                                   std::span<const FilePart> parts,
                                   std::span<const TimeRange> times) {
  std::vector<FilePart> named(parts.begin(), parts.end());
  std::sort(named.begin(), named.end(),
            [](const FilePart& a, const FilePart& b) { return a.file < b.file; });
  std::vector<FileRows> files;
  for (const FilePart& part : named) {
    if (!files.empty() && files.back().file == part.file) continue;
    files.push_back({times[part.file], part.file, {}, {}});
  }
  std::size_t row = 0;
  for (const FilePart& part : parts) {
    const auto file =
        std::lower_bound(files.begin(), files.end(), part.file,
                         [](const FileRows& a, std::uint32_t b) { return a.file < b; });
    for (std::uint32_t i = 0; i < part.rows; ++i, ++row) {
      const double time = steps[row].wall_time;
      const double before = file->times.empty() ? file->time.first : file->times.back();
      file->rows.push_back(row);
      file->times.push_back(time > before ? time : before);
    }
  }
  std::stable_sort(files.begin(), files.end(), [](const FileRows& a, const FileRows& b) {
    return a.time.first < b.time.first;
  });
  return files;
}

// The rows where a file begins, and those where it goes back, in the order of time.
std::vector<Moment> possible_restarts(std::span<const TimedStep> steps,
                                      const std::vector<FileRows>& files) {
  std::vector<Moment> moments;
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    const FileRows& file = files[rank];
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
      if (i == 0 || steps[file.rows[i]].step < steps[file.rows[i - 1]].step) {
        moments.push_back({file.times[i], rank, i});
      }
    }
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

// The step that the complete files have reached since the last restart.
class Reached {
 public:
  Reached(std::span<const TimedStep> steps, const std::vector<FileRows>& files)
      : steps_(steps), files_(files) {}

  void begin(std::uint32_t rank) { ends_.emplace(files_[rank].time.last, rank); }
  void restart(const Moment& moment) {
    since_ = moment;
    steps_at_.clear();
  }
  // The largest step of those files that were complete at `time`.
  std::int64_t at(double time) {
    while (!ends_.empty() && ends_.top().first <= time) {
      const auto [end, rank] = ends_.top();
      ends_.pop();
      const FileRows& file = files_[rank];
      const std::size_t last = file.rows.size() - 1;
      if (Moment{file.times[last], rank, last} < since_) continue;
      std::int64_t step = steps_[file.rows[last]].step;
      if (!steps_at_.empty()) step = std::max(step, steps_at_.back().second);
      steps_at_.emplace_back(end, step);
    }
    // Files may be met in another order than they begin, if they begin with another tag.
    const auto after =
        std::upper_bound(steps_at_.begin(), steps_at_.end(), time,
                         [](double wanted, const auto& ended) { return wanted < ended.first; });
    return after == steps_at_.begin() ? std::numeric_limits<std::int64_t>::min()
                                      : std::prev(after)->second;
  }

 private:
  using End = std::pair<double, std::uint32_t>;
  std::span<const TimedStep> steps_;
  const std::vector<FileRows>& files_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;  // of files that go on
  std::vector<std::pair<double, std::int64_t>> steps_at_;  // by time, the largest step so far
  Moment since_{-std::numeric_limits<double>::infinity(), 0, 0};
};

std::vector<Moment> find_restarts(std::span<const TimedStep> steps,
                                  const std::vector<FileRows>& files) {
  Reached reached(steps, files);
  std::vector<Moment> restarts;
  for (const Moment& moment : possible_restarts(steps, files)) {
    const FileRows& file = files[moment.rank];
    const bool is_first = moment.at == 0;
    const bool is_restart = !is_first || steps[file.rows[0]].step < reached.at(file.time.first);
    if (is_first) reached.begin(moment.rank);
    if (!is_restart) continue;
    restarts.push_back(moment);
    reached.restart(moment);
  }
  return restarts;
}

}  // namespace

void add_part(std::vector<FilePart>& parts, std::uint32_t file, std::size_t rows) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  while (rows > 0) {
    if (parts.empty() || parts.back().file != file || parts.back().rows == kMost) {
      parts.push_back({file, 0});
    }
    const std::size_t added = std::min(rows, kMost - parts.back().rows);
    parts.back().rows += static_cast<std::uint32_t>(added);
    rows -= added;
  }
}

bool follow_each_other(std::span<const FilePart> parts, std::span<const TimeRange> times) {
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && parts[i].file == parts[i - 1].file) continue;
    const TimeRange& time = times[parts[i].file];
    // A file that comes again has its own time before it.
    const bool came_before = i > 0 && parts[i].file < parts[i - 1].file;
    if (came_before || time.first < last) return false;
    last = std::max(last, time.last);
  }
  return true;
}

RowOrder order_of_rows(std::span<const TimedStep> steps, std::span<const FilePart> parts,
                       std::span<const TimeRange> times) {
  struct Entry {
    std::size_t stretch = 0;
    std::int64_t step = 0;
    double time = 0;
    std::size_t row = 0;
    bool operator<(const Entry& other) const {
      return std::tie(stretch, step, time) < std::tie(other.stretch, other.step, other.time);
    }
  };
  const std::vector<FileRows> files = rows_by_file(steps, parts, times);
  const std::vector<Moment> restarts = find_restarts(steps, files);
  std::vector<Entry> entries;
  entries.reserve(steps.size());
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    const FileRows& file = files[rank];
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
      const auto stretch =
          std::upper_bound(restarts.begin(), restarts.end(), Moment{file.times[i], rank, i});
      entries.push_back({static_cast<std::size_t>(stretch - restarts.begin()),
                         steps[file.rows[i]].step, file.times[i], file.rows[i]});
    }
  }
  std::stable_sort(entries.begin(), entries.end());
  RowOrder order;
  order.rows.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && entries[i].stretch != entries[i - 1].stretch) order.restarts.push_back(i);
    order.rows.push_back(entries[i].row);
  }
  return order;
}

}  // namespace tideline::events
