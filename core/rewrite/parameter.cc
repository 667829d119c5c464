// Tested by unit/rewrite/policy_parameters_test.cc.
#include "core/rewrite/parameter.h"

#include <algorithm>

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline {
namespace {

constexpr std::int64_t kMissing = -1;

Result<Value> integer_value(const Parameter& parameter, const std::string& text) {
  const auto value = parse_as<std::int64_t>(text);
  const bool is_missing = parameter.is_found && value == kMissing;
  if (!value || *value > parameter.most || (*value < parameter.least && !is_missing)) {
    return fail(Code::kInvalidArgument, "it is '{}'", printable(text));
  }
  return Value(*value);
}

Result<Value> ratio_value(const std::string& text) {
  const auto value = parse_as<double>(text);
  if (!value || !(*value > 0.0) || *value > 1.0) {
    return fail(Code::kInvalidArgument, "it is '{}'", printable(text));
  }
  return Value(*value);
}

bool are_numbers(std::span<const Choice> choices) {
  constexpr std::string_view kDigits = "0123456789";
  return choices.front().value.find_first_not_of(kDigits) == std::string_view::npos;
}

Result<Value> choice_value(const Parameter& parameter, const std::string& text) {
  const auto found = std::find_if(parameter.choices.begin(), parameter.choices.end(),
                                  [&](const Choice& choice) { return choice.value == text; });
  if (found == parameter.choices.end()) {
    return fail(Code::kInvalidArgument, "it is '{}'", printable(text));
  }
  if (!are_numbers(parameter.choices)) return Value(text);
  return Value(std::int64_t{std::stoi(text)});
}

Result<Value> parse_kind(const Parameter& parameter, const std::string& text) {
  const bool is_none = text == "none" || text.empty();
  switch (parameter.kind) {
    case ParameterKind::kInteger: return integer_value(parameter, text);
    case ParameterKind::kRatio:
      if (is_none && parameter.may_be_none) return Value();
      return ratio_value(text);
    case ParameterKind::kSwitch: {
      TIDELINE_TRY(const bool is_on, parse_switch(text));
      return Value(is_on);
    }
    case ParameterKind::kSize: {
      if (is_none && parameter.may_be_none) return Value();
      TIDELINE_TRY(const Bytes size, parse_size(text));
      return Value(std::int64_t{size});
    }
    case ParameterKind::kChoice: return choice_value(parameter, text);
    case ParameterKind::kText:
      if (is_none && parameter.may_be_none) return Value();
      if (text.empty() && parameter.default_value() != Value(std::string())) {
        return fail(Code::kInvalidArgument, "it is empty");
      }
      return Value(text);
    case ParameterKind::kNames: return Value(split_list(text, ','));
  }
  return Value();
}

}  // namespace

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& entry) { return entry.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

Result<Value> parse_value(const Parameter& parameter, const std::string& text) {
  TIDELINE_TRY(Value value, parse_kind(parameter, text));
  if (parameter.check != nullptr) TIDELINE_RETURN_IF_ERROR(parameter.check(value));
  return value;
}

std::string value_text(const Value& value, ParameterKind kind) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return kind == ParameterKind::kSize ? exact_size(*number) : std::to_string(*number);
  }
  if (const auto* ratio = std::get_if<double>(&value)) return fmt::format("{}", *ratio);
  if (const auto* is_on = std::get_if<bool>(&value)) return *is_on ? "on" : "off";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return fmt::format("{}", fmt::join(*list, ","));
  }
  return "none";
}

std::string exact_size(Bytes bytes) {
  constexpr Bytes kKiB = 1024;
  if (bytes > 0 && bytes % (kKiB * kKiB * kKiB) == 0) {
    return fmt::format("{}GiB", bytes / (kKiB * kKiB * kKiB));
  }
  if (bytes > 0 && bytes % (kKiB * kKiB) == 0) return fmt::format("{}MiB", bytes / (kKiB * kKiB));
  return std::to_string(bytes);
}

Result<int> parse_number(const std::string& text, int least) {
  const auto value = parse_as<int>(text);
  constexpr int kMost = 999999999;
  if (!value || *value > kMost || *value < least) {
    return fail(Code::kInvalidArgument, "'{}' is not an integer of at least {}", printable(text),
                least);
  }
  return *value;
}

Result<bool> parse_switch(const std::string& text) {
  if (text == "on" || text == "off") return text == "on";
  return fail(Code::kInvalidArgument, "'{}' is neither on nor off", printable(text));
}

}  // namespace tideline
