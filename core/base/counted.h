// Counts in sentences.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tideline {

/// "1 tensor", "3 tensors".
template <typename Count>
[[nodiscard]] std::string counted(Count count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == Count{1} ? "" : "s");
}

}  // namespace tideline
