// Binds the parameters of a rewriter to members of its option struct, which holds the defaults.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
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

/// The descriptions alone, as a Rewriter lists them.
template <typename Options, std::size_t kCount>
constexpr std::array<Parameter, kCount> descriptions(
    const std::array<BoundParameter<Options>, kCount>& table) {
  std::array<Parameter, kCount> parameters;
  for (std::size_t i = 0; i < kCount; ++i) parameters[i] = table[i].parameter;
  return parameters;
}

/// Options read from `values`. Parameters that are not set, and other members, have their defaults.
template <typename Options, std::size_t kCount>
Options read_options(const std::array<BoundParameter<Options>, kCount>& table,
                     const Values& values) {
  Options options = usual_options<Options>();
  for (const auto& entry : table) entry.read(options, values.get(entry.parameter));
  return options;
}

/// The inverse: sets every parameter of the table in `values` to its value in `options`.
template <typename Options, std::size_t kCount>
void write_values(const std::array<BoundParameter<Options>, kCount>& table, const Options& options,
                  Values& values) {
  for (const auto& entry : table) values.set(entry.parameter, entry.write(options));
}

}  // namespace tideline
