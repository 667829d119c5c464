// Starting another program with chosen descriptors and nothing else of ours.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline::runtime {

/// What the new process gets as its descriptors; -1: /dev/null. `extra` becomes number 3.
struct Descriptors {
  int output = -1;
  int errors = -1;
  int extra = -1;
};

/// Runs `program` (a path, or a name that is looked for on PATH) with `arguments`, the first of
/// which is its name, in a process group of its own, with default signals, our environment, and no
/// other descriptors. Returns its process id, to be waited for. Errors: kNotFound, kIo.
[[nodiscard]] Result<pid_t> spawn(const std::string& program,
                                  const std::vector<std::string>& arguments,
                                  const Descriptors& descriptors);

/// Text of somebody else for a message of ours: one line, at most `limit` bytes of its end.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit);

}  // namespace tideline::runtime
