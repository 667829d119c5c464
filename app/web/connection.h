// One connection: requests in, answers out, with a deadline for everything.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "app/web/message.h"

namespace tideline::web {

struct Deadlines {
  std::chrono::milliseconds header{30'000};      ///< for a whole header
  std::chrono::milliseconds next_bytes{30'000};  ///< of a body, or until more of an answer is taken
  std::chrono::milliseconds idle{5'000};         ///< between two requests
};

/// The place of a connection among those that are served at a time. One that waits for a request,
/// or has not shown that it is allowed, can be asked to make room. Thread: any.
class ConnectionPlace {
 public:
  /// The connection serves a request that is allowed. False: it was asked to end.
  bool hold() { return change(Phase::kFree, Phase::kHeld); }
  /// It is done with that.
  void let_go() { change(Phase::kHeld, Phase::kFree); }
  /// Asks the connection to end, which it does when its socket is shut down. False: it is held.
  bool give_up() { return change(Phase::kFree, Phase::kGivenUp); }
  /// The connection is over. False: it was asked to end, and who asked still has its socket.
  bool end() { return phase_.exchange(Phase::kGivenUp) != Phase::kGivenUp; }
  /// Whether it was held once: by a browser that may come again.
  [[nodiscard]] bool was_held() const { return was_held_; }

 private:
  enum class Phase : std::uint8_t { kFree, kHeld, kGivenUp };
  bool change(Phase from, Phase to) {
    if (to == Phase::kHeld) was_held_ = true;
    return phase_.compare_exchange_strong(from, to);
  }
  std::atomic<Phase> phase_ = Phase::kFree;
  std::atomic<bool> was_held_ = false;
};

/// Answers requests on `socket` until the other side or a deadline ends it, or `stop` (a file
/// descriptor) can be read, or `place` (null: it has one for itself) is given up. Makes `socket`
/// non-blocking; does not close it. Waiting uses no CPU.
void serve_connection(int socket, int stop, Application& application,
                      const Deadlines& deadlines = {}, ConnectionPlace* place = nullptr);

/// The bytes of `content` as gzip, at the fastest level. Thread: pure.
[[nodiscard]] std::string gzipped(std::string_view content);

}  // namespace tideline::web
