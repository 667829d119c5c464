// What the modes of `log` share: options, reading, and the exit code.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/engine/log_wish.h"
#include "core/events/event_log.h"

namespace tideline::cli {

struct LogOptions {
  std::vector<std::string> paths;
  std::string run;
  std::string tag;
  std::string steps;
  bool csv = false;
  bool json = false;
  bool strict = false;
  bool resync = false;
  bool follow = false;
  bool quiet = false;
  std::string output;

  /// How messages name the logs.
  [[nodiscard]] std::string title() const;
  [[nodiscard]] Result<app::LogWish> wish() const;
  [[nodiscard]] events::AtDamage at_damage() const {
    return resync ? events::AtDamage::kSkip : events::AtDamage::kStop;
  }
};
/// LOGDIR..., --run, --tag, --steps, --strict and --resync.
void add_log_options(const Command& command, LogOptions& options);

/// Whether diagnostics are printed to standard error, or by the mode in its report.
enum class LogNotices : std::uint8_t { kWarn, kInReport };

/// What a mode prints of a log that was read.
using LogPrinter = Status (*)(const LogOptions& options, const app::LogWish& wish,
                              const events::EventLog& log);
/// Reads the log, prints it, and returns the exit code.
int print_log(const LogOptions& options, LogNotices notices, LogPrinter print);

/// With --strict exit code 1, and a line that says why, when something was left out, else 0.
[[nodiscard]] int log_exit_code(const LogOptions& options, const Diagnostics& diagnostics);

/// How the lines of a series of scalars begin, and one of them.
[[nodiscard]] std::string scalar_head(const LogOptions& options, const events::EventLog& log,
                                      const events::Series& series);
void print_scalar(const LogOptions& options, const std::string& head,
                  const events::ScalarPoint& point);

// The modes.
using PrintLog = Status(const LogOptions& options, const app::LogWish& wish,
                        const events::EventLog& log);
PrintLog print_log_listing, print_log_scalars, print_log_histograms, print_log_images,
    print_log_text, print_log_hparams, print_log_graphs, print_log_run_metadata;
int follow_log_scalars(const LogOptions& options);
int print_log_events(const LogOptions& options);
int export_log(const LogOptions& options);

}  // namespace tideline::cli
