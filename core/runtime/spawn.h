// Starts another program with chosen file descriptors and no others.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline::runtime {

/// Descriptors of the new process; -1: /dev/null. `extra` becomes descriptor 3.
struct Descriptors {
  int output = -1;
  int errors = -1;
  int extra = -1;
};

/// Runs `program` (a path, or a name searched for on PATH) with `arguments`, the first of which is
/// its name, in its own process group, with default signal handlers, the same environment, and no
/// other descriptors. Returns its process id; the caller must wait for it. Errors: kNotFound, kIo.
[[nodiscard]] Result<pid_t> spawn(const std::string& program,
                                  const std::vector<std::string>& arguments,
                                  const Descriptors& descriptors);

/// Output of another program for use in a message: on one line, at most the last `limit` bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit);

}  // namespace tideline::runtime
