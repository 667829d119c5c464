// Binds the parameters of a rewriter to members of its option struct, which holds the defaults.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/rewrite/parameter.h"
#include "core/rewrite/values.h"

namespace tideline {

template <typename Options>
struct BoundParameter {
  Parameter parameter;
  void (*read)(Options& options, const Value& value);
  Value (*write)(const Options& options);
};

inline Value to_value(int number) {
  return std::int64_t{number};
}
inline Value to_value(bool is_on) {
  return is_on;
}
inline Value to_value(const std::string& text) {
  return text;
}
inline Value to_value(const std::vector<std::string>& names) {
  return names;
}
template <typename T>
Value to_value(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

inline void from_value(const Value& value, int& number) {
  // Parameters have at most nine digits.
  number = static_cast<int>(std::get<std::int64_t>(value));
}
template <typename T>
void from_value(const Value& value, T& member) {
  member = std::get<T>(value);
}
template <typename T>
void from_value(const Value& value, std::optional<T>& member) {
  const T* given = std::get_if<T>(&value);
  member = given == nullptr ? std::nullopt : std::optional<T>(*given);
}

/// Options with their default values.
template <typename Options>
const Options& usual_options() {
  static const Options options = {};
  return options;
}

/// Binds `parameter` to the member of `Options` that the pointers to members `kPath` lead to.
template <typename Options, auto... kPath>
constexpr BoundParameter<Options> bound(Parameter parameter) {
  parameter.default_value = [] { return to_value((usual_options<Options>().*....*kPath)); };
  return {parameter,
          [](Options& options, const Value& value) { from_value(value, (options.*....*kPath)); },
          [](const Options& options) { return to_value((options.*....*kPath)); }};
}

/// The table of a rewriter, in the order of plan JSON: what its parameters.cc says.
template <typename Options>
[[nodiscard]] std::span<const BoundParameter<Options>> bound_parameters();

/// The descriptions alone, as a Rewriter lists them.
template <typename Options>
[[nodiscard]] std::span<const Parameter> parameters_of() {
  static const std::vector<Parameter> parameters = [] {
    std::vector<Parameter> list;
    for (const auto& entry : bound_parameters<Options>()) list.push_back(entry.parameter);
    return list;
  }();
  return parameters;
}

/// Options read from `values`. Parameters that are not set, and other members, have their defaults.
template <typename Options>
[[nodiscard]] Options options_of(const Values& values) {
  Options options = usual_options<Options>();
  for (const auto& entry : bound_parameters<Options>()) {
    entry.read(options, values.get(entry.parameter));
  }
  return options;
}

/// The inverse: sets every parameter of the table in `values` to its value in `options`.
template <typename Options>
void set_values(const Options& options, Values& values) {
  for (const auto& entry : bound_parameters<Options>()) {
    values.set(entry.parameter, entry.write(options));
  }
}

/// For Rewriter::validate: what `validate` says of the options that are made of values.
template <typename Options>
[[nodiscard]] Status validate_as(const Values& values) {
  return validate(options_of<Options>(values));
}

}  // namespace tideline
