// Prints to the terminal of the user, who must see what a file holds and not obey it: no text from
// outside reaches a terminal as it is. Everything that is printed is printed by these functions
// (checked by tests/lint/printing.py).
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace tideline::app {

/// An argument of several lines, whose line ends and tabs are kept. The names in it must have been
/// made printable() before, because a line end in a name would begin a line of its own.
struct Lines {
  std::string_view text;
};

// How an argument is printed: text as printable() gives it, whole; numbers as they are. There is no
// other kind, so that a range or a type with a formatter of its own does not compile.
[[nodiscard]] std::string shown(std::string_view text);
[[nodiscard]] std::string shown(Lines lines);
template <typename Number>
requires std::is_arithmetic_v<Number>
[[nodiscard]] Number shown(Number number) {
  return number;
}
template <typename T>
using Shown = decltype(shown(std::declval<const T&>()));

/// Prints to standard output like fmt::print, the arguments without hidden characters
/// (core/base/characters.h); a line end in a name is one, too. Of the format, which is a literal,
/// everything is kept. Thread: any.
template <typename... Args>
void say(fmt::format_string<Shown<Args>...> format, const Args&... arguments) {
  fmt::print(stdout, format, shown(arguments)...);
}

/// The same to standard error.
template <typename... Args>
void complain(fmt::format_string<Shown<Args>...> format, const Args&... arguments) {
  fmt::print(stderr, format, shown(arguments)...);
}

/// Prints json_text() and a line end to standard output.
void say_json(const nlohmann::ordered_json& json, int indent = 1);

}  // namespace tideline::app
