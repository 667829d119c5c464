// Runs the command line in this process and gives what it prints.
#pragma once

#include <string>
#include <vector>

namespace tideline {

struct Printed {
  int code = 0;
  std::string out, err;
};

/// Runs `tideline WORDS`. Thread: nobody else prints meanwhile.
[[nodiscard]] Printed run(std::vector<std::string> words);

}  // namespace tideline
