// How a fuzz target says that an invariant broke: in a way that libFuzzer and CTest both notice.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/base/error.h"
#include "core/base/text.h"

namespace tideline::fuzz {

inline void require(bool holds, std::string_view claim, std::string_view detail = "") {
  if (holds) return;
  std::fprintf(stderr, "broken: %.*s\n%.*s\n", static_cast<int>(claim.size()), claim.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

/// A refusal is for a person at a terminal, whatever the bytes were.
inline void require_readable(const Error& error) {
  require(!error.message.empty() && is_utf8(error.message) && !has_control_character(error.message),
          "an error message is printable text", error.message);
}

}  // namespace tideline::fuzz
