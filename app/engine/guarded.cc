// Tested by unit/engine/guarded_test.cc and golden/self_check_test.py.
#include "app/engine/guarded.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/json_text.h"
#include "core/base/descriptor.h"

namespace tideline::app {
namespace {

using Clock = std::chrono::steady_clock;
using FindingJson = nlohmann::ordered_json;

CheckedPart problem_of(const std::string& name, std::string says) {
  return {name, CheckedPart::State::kProblem, std::move(says)};
}

std::string sent_form(const CheckedPart& found) {
  FindingJson facts = FindingJson::array();
  for (const auto& [name, value] : found.facts) facts.push_back({name, value});
  return json_text(FindingJson{static_cast<int>(found.state), found.says, std::move(facts)}, -1);
}

// nullopt if the text is not whole.
std::optional<CheckedPart> received_form(const std::string& name, const std::string& text) {
  const FindingJson json = FindingJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array() || json.size() != 3) return std::nullopt;
  CheckedPart found = {name, static_cast<CheckedPart::State>(json[0].get<int>()),
                       json[1].get<std::string>()};
  for (const FindingJson& fact : json[2]) {
    found.facts.emplace_back(fact[0].get<std::string>(), fact[1].get<std::string>());
  }
  return found;
}

[[noreturn]] void look_and_send(int pipe, const std::function<CheckedPart()>& look) {
  ::setpgid(0, 0);  // what it starts ends with it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int descriptor : {0, 1, 2}) ::dup2(nowhere, descriptor);
  const std::string text = sent_form(look());
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t put = ::write(pipe, text.data() + sent, text.size() - sent);
    if (put < 0 && errno != EINTR) break;
    if (put > 0) sent += static_cast<std::size_t>(put);
  }
  ::_exit(0);  // drivers that were loaded do no work at the end
}

// Whether the other end was closed in time.
bool read_until_closed(int pipe, Clock::time_point end, std::string& text) {
  std::array<char, 4096> piece{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{pipe, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) {
      if (errno == EINTR) return false;  // a signal asks the program to end
      continue;
    }
    const ssize_t got = ::read(pipe, piece.data(), piece.size());
    if (got == 0) return true;
    if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

CheckedPart guarded(const std::string& name, std::chrono::milliseconds patience,
                    const std::function<CheckedPart()>& look) {
  std::array<int, 2> pipe{-1, -1};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return problem_of(name, "no pipe can be made");
  const Descriptor reading(pipe[0]);
  const pid_t child = ::fork();
  if (child == 0) look_and_send(pipe[1], look);
  ::close(pipe[1]);
  if (child < 0) return problem_of(name, "no process can be started");
  ::setpgid(child, child);  // whoever comes first
  std::string text;
  const bool is_in_time = read_until_closed(reading.value(), Clock::now() + patience, text);
  // The child closes the pipe only by ending.
  if (!is_in_time) ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!is_in_time) {
    return problem_of(name, fmt::format("gives no answer within {:g} s",
                                        static_cast<double>(patience.count()) / 1000));
  }
  if (auto found = received_form(name, text)) return *std::move(found);
  return problem_of(name, WIFSIGNALED(status)
                              ? fmt::format("crashes: {}", strsignal(WTERMSIG(status)))
                              : "ends without an answer");
}

}  // namespace tideline::app
