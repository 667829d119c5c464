#include "app/cli/terminal.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "core/checkpoint/folder_lock.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t ends_at_once = 0;
volatile std::sig_atomic_t line_is_drawn = 0;  // of the progress

void on_signal(int) {
  interrupted = 1;
  if (ends_at_once == 0) return;
  // Only what a handler may call.
  constexpr std::string_view kSaid = "\r\x1b[Ktideline: interrupted\n";
  const std::string_view said = line_is_drawn == 0 ? kSaid.substr(4) : kSaid;
  if (::write(STDERR_FILENO, said.data(), said.size()) < 0) ::_exit(kExitInterrupted);
  ::_exit(kExitInterrupted);
}

}  // namespace

int report(const Error& error) {
  complain("tideline: {}\n", with_parameter_names(error.message, Naming::kOption));
  return exit_code(error);
}

int report_usage(const Error& error) {
  report(error);
  return kExitUsage;
}

bool was_interrupted() {
  return interrupted != 0;
}

EndsAtOnce::EndsAtOnce() {
  ends_at_once = 1;
  if (interrupted != 0) on_signal(0);  // it came just before
}
EndsAtOnce::~EndsAtOnce() {
  ends_at_once = 0;
}

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  // Without SA_RESTART, so that a blocked read ends; a second signal kills as usual.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  for (const int number : {SIGHUP, SIGQUIT}) {
    // What was started with nohup outlives its terminal.
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // the write fails instead: EFBIG
}

TerminalProgress::TerminalProgress(bool quiet)
    : quiet_(quiet),
      visible_(!quiet && ::isatty(STDERR_FILENO) == 1),
      started_(std::chrono::steady_clock::now()),
      last_drawn_(started_) {}

TerminalProgress::~TerminalProgress() {
  if (drawn_) complain("\r\x1b[K");
}

bool TerminalProgress::report(std::string_view stage, std::int64_t done, std::int64_t total) {
  using namespace std::chrono_literals;
  if (was_interrupted()) return false;
  if (!quiet_ && !has_said_ && stage.starts_with(checkpoint::kWaiting)) {
    complain("{}note: {}\n", drawn_ ? "\r\x1b[K" : "", stage);
    has_said_ = true;
  }
  if (!visible_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - started_ < 500ms || now - last_drawn_ < 100ms) return true;
  last_drawn_ = now;
  drawn_ = true;
  line_is_drawn = 1;
  complain("\r\x1b[K{} {} %", stage, total > 0 ? 100 * done / total : 0);
  std::fflush(stderr);
  return true;
}

}  // namespace tideline::cli
