// Prints what training appends to a log. A log cannot notify: it is looked at five times a
// second, and the folder once a second for new files. That costs some system calls a file.
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "app/cli/log_follow.h"
#include "app/cli/log_options.h"
#include "app/cli/opening.h"
#include "app/cli/streams.h"
#include "app/cli/terminal.h"
#include "app/engine/read_log.h"
#include "core/events/row_order.h"

namespace tideline::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 200ms;
constexpr int kLooksForFolder = 5;

}  // namespace

Status follow(events::LogSource& source, Progress& progress, const std::function<Status()>& print) {
  for (int looks = 1;; ++looks) {
    TIDELINE_RETURN_IF_ERROR(print());
    std::fflush(stdout);
    if (is_output_gone()) return {};
    std::this_thread::sleep_for(kPause);
    if (!progress.report("following", 0, 0)) return cancelled();
    TIDELINE_RETURN_IF_ERROR(source.refresh(looks % kLooksForFolder == 0, progress));
  }
}

namespace {

// The order in which to print the points of a series from the row `first` on, which writers may
// have written in turns.
std::vector<std::size_t> order_from(const events::EventLog& log, const events::Series& series,
                                    std::size_t first) {
  std::vector<std::size_t> rows;
  std::vector<events::FilePart> parts;
  std::size_t end = 0;
  for (const events::FilePart& part : series.parts) {
    const std::size_t begin = std::max(end, first);
    end += part.rows;
    if (begin < end) events::add_part(parts, part.file, end - begin);
  }
  std::vector<events::TimeRange> times;
  for (const events::LogFile& file : log.files()) times.push_back(file.time);
  if (events::follow_each_other(parts, times)) {
    for (std::size_t row = first; row < series.points.size(); ++row) rows.push_back(row);
    return rows;
  }
  std::vector<events::TimedStep> steps;
  for (std::size_t row = first; row < series.points.size(); ++row) {
    steps.push_back({series.points[row].wall_time, series.points[row].step});
  }
  rows = events::order_of_rows(steps, parts, times).rows;
  for (std::size_t& row : rows) row += first;
  return rows;
}

// Prints the points behind those that were printed. The log is not sorted, so they are at its end.
class ScalarPrinter {
 public:
  ScalarPrinter(const LogOptions& options, app::LogWish wish)
      : options_(options), wish_(std::move(wish)) {
    if (options_.csv) say("run,tag,step,wall_time,value\n");
  }

  void print(const events::EventLog& log) {
    printed_.resize(log.series().size());
    for (std::size_t i = 0; i < log.series().size(); ++i) {
      const events::Series& series = log.series()[i];
      std::size_t& printed = printed_[i];
      if (series.points.size() == printed || !wish_.wants_run(log.runs()[series.run]) ||
          !wish_.wants_tag(series.tag)) {
        continue;
      }
      const std::string head = scalar_head(options_, log, series);
      for (const std::size_t row : order_from(log, series, printed)) {
        const events::ScalarPoint& point = series.points[row];
        if (wish_.steps.has(point.step)) print_scalar(options_, head, point);
      }
      printed = series.points.size();
    }
  }

 private:
  const LogOptions& options_;
  app::LogWish wish_;
  std::vector<std::size_t> printed_;  // by series
};

Status follow_scalars(const LogOptions& options, events::EventLog& log) {
  TerminalProgress progress(true);
  TIDELINE_TRY(app::LogWish wish, options.wish());
  TIDELINE_TRY(events::LogSource source,
               events::LogSource::open(options.path, options.at_damage(), progress));
  ScalarPrinter printer(options, std::move(wish));
  std::size_t warned = 0;
  return follow(source, progress, [&]() -> Status {
    TIDELINE_RETURN_IF_ERROR(app::read_blocks(source, log, progress));
    source.report_to(log);
    warned = warn_of_new(options.path, log.diagnostics(), warned);
    printer.print(log);
    return {};
  });
}

}  // namespace

std::size_t warn_of_new(const std::string& path, const Diagnostics& all, std::size_t warned) {
  Diagnostics added;
  for (std::size_t i = warned; i < all.entries().size(); ++i) {
    const Diagnostic& entry = all.entries()[i];
    added.add(entry.severity, entry.kind, entry.example, entry.count);
  }
  warn(path, added);
  return all.entries().size();
}

int follow_log_scalars(const LogOptions& options) {
  events::EventLog log;
  const Status followed = follow_scalars(options, log);
  if (!followed) return report(followed.error());
  return log_exit_code(options, log.diagnostics());
}

}  // namespace tideline::cli
