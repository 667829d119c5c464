// Exit codes, error messages, progress and interruption of the command line.
#pragma once

#include <chrono>
#include <string_view>

#include "app/engine/exit_codes.h"
#include "app/engine/say.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/text.h"

namespace tideline::cli {

using app::exit_code;
using app::kExitCheck;
using app::kExitData;
using app::kExitDone;
using app::kExitInterrupted;
using app::kExitUsage;

/// Prints "tideline: message" to standard error and returns the exit code.
int report(const Error& error);
/// The same for wrong usage: exit code 2.
int report_usage(const Error& error);

using tideline::csv_field;

using app::complain;
using app::Lines;
using app::say;
using app::say_json;

/// Whether a signal has asked the program to end.
[[nodiscard]] bool was_interrupted();

/// Makes SIGINT, SIGTERM, SIGHUP and SIGQUIT cancel the work at its next report instead of killing
/// the process, and makes a closed pipe and a limit on the size of files ordinary errors.
void install_signal_handlers();

/// While this lives, a signal ends the process at once with kExitInterrupted, not at the next
/// report of the work: for work that writes nothing. Thread: the main one.
class EndsAtOnce {
 public:
  EndsAtOnce();
  ~EndsAtOnce();
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;
};

/// Shows progress as one line on standard error, redrawn in place; silent if that is not a
/// terminal, and in the first half second. For whom it waits (folder_lock.h) it says in any case.
/// Cancels after a signal.
class TerminalProgress final : public Progress {
 public:
  explicit TerminalProgress(bool quiet);
  ~TerminalProgress() override;
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;
  bool report(std::string_view stage, std::int64_t done, std::int64_t total) override;

 private:
  bool quiet_;
  bool visible_;
  bool drawn_ = false;
  bool has_said_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace tideline::cli
