// Assertions that stay in release builds: for invariants of our own code, never for input.
#pragma once

namespace tideline {

/// Prints the failed condition with file and line, and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace tideline

#define TIDELINE_CHECK(condition) \
  ((condition) ? void() : ::tideline::check_failed(#condition, __FILE__, __LINE__))
