// Tested by unit/actions/arguments_test.cc.
#include "app/actions/arguments.h"

#include <algorithm>
#include <cmath>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/rewrite/parameter.h"

namespace tideline::app {
namespace {

// "levels or memory", "force, or nothing".
std::string choices_text(const ArgumentSpec& spec) {
  const std::vector<std::string> words = split_list(spec.name, '|');
  if (words.size() == 1) return words.front() + (spec.is_optional ? ", or nothing" : "");
  return alternatives(words);
}

Result<ArgumentValue> parse_word(const ArgumentSpec& spec, const std::string& word) {
  const std::vector<std::string> words = split_list(spec.name, '|');
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    return bad_argument(word, choices_text(spec));
  }
  return word;
}

Result<ArgumentValue> parse_one(const ArgumentSpec& spec, const std::string& word) {
  switch (spec.kind) {
    case ArgumentKind::kText: return word;
    case ArgumentKind::kWord: return parse_word(spec, word);
    case ArgumentKind::kSwitch: {
      const auto is_on = parse_switch(word);
      if (!is_on) return bad_argument(word, "on or off");
      return *is_on;
    }
    case ArgumentKind::kWhole: {
      const auto number = parse_number(word, static_cast<int>(spec.least));
      if (!number) return bad_argument(word, spec.expected);
      return std::int64_t{*number};
    }
    case ArgumentKind::kDecimal: break;
  }
  const auto number = parse_decimal(word);
  if (!number || *number < spec.least || *number > spec.most) {
    return bad_argument(word, spec.expected);
  }
  return *number;
}

}  // namespace

std::string usage_text(std::span<const ArgumentSpec> specs) {
  std::string text;
  for (const ArgumentSpec& spec : specs) {
    if (!text.empty()) text += ' ';
    text += spec.is_optional ? fmt::format("[{}]", spec.name) : std::string(spec.name);
  }
  return text;
}

std::size_t required_count(std::span<const ArgumentSpec> specs) {
  return static_cast<std::size_t>(std::count_if(
      specs.begin(), specs.end(), [](const ArgumentSpec& spec) { return !spec.is_optional; }));
}

Result<Arguments> parse_arguments(std::span<const ArgumentSpec> specs,
                                  std::span<const std::string> words) {
  if (words.size() < required_count(specs) || words.size() > specs.size()) {
    return fail(Code::kInvalidArgument, "it has {} argument{}; expected {}", words.size(),
                words.size() == 1 ? "" : "s", specs.empty() ? "none" : usage_text(specs));
  }
  std::vector<ArgumentValue> values;
  for (std::size_t i = 0; i < words.size(); ++i) {
    TIDELINE_TRY(ArgumentValue value, parse_one(specs[i], words[i]));
    values.push_back(std::move(value));
  }
  return Arguments(std::move(values));
}

tl::unexpected<Error> bad_argument(std::string_view text, std::string_view expected) {
  return fail(Code::kInvalidArgument, "invalid value '{}'; expected {}", printable(text), expected);
}

Result<double> parse_decimal(const std::string& text) {
  const auto value = parse_as<double>(text);
  if (!value || !(std::abs(*value) <= kMostDecimal)) return bad_argument(text, "a number");
  return *value;
}

}  // namespace tideline::app
