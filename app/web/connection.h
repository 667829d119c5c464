// One connection: requests in, answers out, with a deadline for everything.
#pragma once

#include <chrono>

#include "app/web/message.h"

namespace tideline::web {

struct Deadlines {
  std::chrono::milliseconds header{30'000};      ///< for a whole header
  std::chrono::milliseconds next_bytes{30'000};  ///< of a body, or until more of an answer is taken
  std::chrono::milliseconds idle{5'000};         ///< between two requests
};

/// Answers requests on `socket` until the other side or a deadline ends it, or `stop` (a file
/// descriptor) can be read. Makes `socket` non-blocking; does not close it. Waiting uses no CPU.
void serve_connection(int socket, int stop, Application& application,
                      const Deadlines& deadlines = {});

/// The bytes of `content` as gzip, at the fastest level. Thread: pure.
[[nodiscard]] std::string gzipped(std::string_view content);

}  // namespace tideline::web
