// Assertions that stay in release builds: for promises between our own functions, never for input.
#pragma once

namespace tideline {

/// Prints the broken promise with its place and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace tideline

#define TIDELINE_CHECK(condition) \
  ((condition) ? void() : ::tideline::check_failed(#condition, __FILE__, __LINE__))
