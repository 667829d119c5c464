// Descriptions of the arguments of actions, used for parsing and for help.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"

namespace tideline::app {

enum class ArgumentKind : std::uint8_t { kText, kWord, kWhole, kDecimal, kSwitch };

/// Describes one argument of an action; an empty name means none.
struct ArgumentSpec {
  std::string_view name = {};  ///< "FACTOR"; for a word its choices: "levels|memory"
  ArgumentKind kind = ArgumentKind::kText;
  double least = 0, most = 0;      ///< for numbers
  std::string_view expected = {};  ///< for numbers, in messages: "a number from 0 to 1"
  bool is_optional = false;        ///< then all later ones are too
};

inline constexpr double kMostDecimal = 1e9;
inline constexpr double kAboveZero = std::numeric_limits<double>::min();

constexpr ArgumentSpec text(std::string_view name) {
  return {name};
}
/// One of the words in `choices`, separated by |.
constexpr ArgumentSpec word(std::string_view choices) {
  return {choices, ArgumentKind::kWord};
}
constexpr ArgumentSpec on_off() {
  return {"on|off", ArgumentKind::kSwitch};
}
constexpr ArgumentSpec whole(std::string_view name, double least, std::string_view expected) {
  return {name, ArgumentKind::kWhole, least, kMostDecimal, expected};
}
constexpr ArgumentSpec decimal(std::string_view name, double least, double most,
                               std::string_view expected) {
  return {name, ArgumentKind::kDecimal, least, most, expected};
}
constexpr ArgumentSpec optional(ArgumentSpec spec) {
  spec.is_optional = true;
  return spec;
}

using ArgumentValue = std::variant<std::string, std::int64_t, double, bool>;

/// The values of an action's arguments. Precondition of the accessors: argument `at` was given and
/// is of this kind.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(std::vector<ArgumentValue> values) : values_(std::move(values)) {}

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// A text or a word.
  [[nodiscard]] const std::string& text(std::size_t at) const { return get<std::string>(at); }
  [[nodiscard]] std::int64_t whole(std::size_t at) const { return get<std::int64_t>(at); }
  [[nodiscard]] double decimal(std::size_t at) const { return get<double>(at); }
  [[nodiscard]] bool is_on(std::size_t at) const { return get<bool>(at); }

 private:
  template <typename T>
  [[nodiscard]] const T& get(std::size_t at) const {
    return std::get<T>(values_.at(at));
  }
  std::vector<ArgumentValue> values_;
};

/// "FACTOR [AT_LEVEL]"; empty without arguments.
[[nodiscard]] std::string usage_text(std::span<const ArgumentSpec> specs);
/// The number of arguments that must be given.
[[nodiscard]] std::size_t required_count(std::span<const ArgumentSpec> specs);

/// Parses `words`. Errors: kInvalidArgument for a wrong number of words or an invalid word, saying
/// what was expected.
[[nodiscard]] Result<Arguments> parse_arguments(std::span<const ArgumentSpec> specs,
                                                std::span<const std::string> words);

/// "invalid value 'neon'; expected dark or light".
[[nodiscard]] tl::unexpected<Error> bad_argument(std::string_view text, std::string_view expected);
[[nodiscard]] Result<double> parse_decimal(const std::string& text);

}  // namespace tideline::app
