// Errors as values. Whatever can fail for external reasons (files, bytes, requests, budgets)
// returns a Result; programming errors end in TIDELINE_CHECK (check.h).
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace tideline {

enum class Code {
  kInvalidArgument,  ///< the request is at fault: unknown scope, value out of range
  kNotFound,         ///< a file, op or tensor that does not exist
  kCorrupt,          ///< bytes that break their format
  kUnsupported,      ///< valid, but deliberately not supported
  kIo,               ///< the operating system reported an error
  kUnavailable,      ///< a server cannot be reached, which may pass
  kOverBudget,       ///< a check or a budget is not met
  kCancelled,        ///< the user interrupted
  kInternal,         ///< a bug in this program, reported instead of aborting
};

/// What went wrong, for a person: file, op, field, and what was expected. No trailing full stop.
struct Error {
  Code code = Code::kInternal;
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Builds the error branch of a Result: `return fail(Code::kCorrupt, "byte {}: ...", at);`
template <typename... Args>
[[nodiscard]] tl::unexpected<Error> fail(Code code, fmt::format_string<Args...> format,
                                         Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

/// Prefixes the message with what the caller knows: "graph.pb: " + message.
[[nodiscard]] inline Error with_context(Error error, std::string_view context) {
  error.message = fmt::format("{}: {}", context, error.message);
  return error;
}

}  // namespace tideline

#define TIDELINE_CONCAT_INNER(a, b) a##b
#define TIDELINE_CONCAT(a, b) TIDELINE_CONCAT_INNER(a, b)

/// TIDELINE_TRY(auto graph, read(path)): binds the value, or returns the error to the caller.
#define TIDELINE_TRY(declaration, expression)                                              \
  auto&& TIDELINE_CONCAT(tideline_result_, __LINE__) = (expression);                       \
  if (!TIDELINE_CONCAT(tideline_result_, __LINE__)) {                                      \
    return tl::unexpected(std::move(TIDELINE_CONCAT(tideline_result_, __LINE__)).error()); \
  }                                                                                        \
  declaration = std::move(*TIDELINE_CONCAT(tideline_result_, __LINE__))

/// TIDELINE_RETURN_IF_ERROR(check(x)): for a Status, or a Result whose value is not needed.
#define TIDELINE_RETURN_IF_ERROR(expression)                       \
  do {                                                             \
    if (auto&& tideline_status = (expression); !tideline_status) { \
      return tl::unexpected(std::move(tideline_status).error());   \
    }                                                              \
  } while (false)
