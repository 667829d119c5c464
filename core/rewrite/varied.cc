// Tested by unit/rewrite/varied_test.cc.
#include "core/rewrite/varied.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline {
namespace {

constexpr std::string_view kForms = "FIRST:LAST, FIRST:LAST:STEP or a list A,B,C";
constexpr std::int64_t kSearchedFor = -1;
// Shares are written with at most so many digits: 0.1 + 2 * 0.1 is 0.3.
constexpr double kDigitsOfShares = 1e9;
constexpr Bytes kLargestSize = Bytes{1} << 53U;  // up to here a double is exact

bool is_number(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kInteger:
    case ParameterKind::kRatio:
    case ParameterKind::kSize: return true;
    case ParameterKind::kChoice:
      return std::holds_alternative<std::int64_t>(parameter.default_value());
    default: return false;
  }
}

// Of any rewriter: it describes the graph.
const Parameter* batch_parameter() {
  for (const Rewriter* rewriter : rewriters()) {
    const Parameter* found = rewriter->find("batch-size");
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::string expected_of(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::kSize) return "a size above 0, such as 4GiB";
  // A sweep searches for nothing.
  if (!parameter.is_found) return std::string(parameter.expected);
  return fmt::format("an integer from {} to {}", parameter.least, parameter.most);
}

Result<Value> value_in(const Parameter& parameter, const std::string& text) {
  auto value = parse_value(parameter, text);
  const bool is_missing = value && (std::holds_alternative<std::monostate>(*value) ||
                                    (parameter.is_found && *value == Value(kSearchedFor)));
  const bool is_nothing =
      value && parameter.kind == ParameterKind::kSize && *value == Value(std::int64_t{0});
  if (value && !is_missing && !is_nothing) return value;
  return fail(Code::kInvalidArgument, "'{}' is no value of {}; expected {}", printable(text, 100),
              parameter.name, expected_of(parameter));
}

// A part of a range: a whole number, a size in bytes, or a share.
std::optional<double> number_of(const Parameter& parameter, const std::string& text) {
  if (parameter.kind == ParameterKind::kSize) {
    const auto size = parse_size(text);
    if (!size || *size > kLargestSize) return std::nullopt;
    return static_cast<double>(*size);
  }
  if (parameter.kind == ParameterKind::kRatio) {
    const auto share = parse_as<double>(text);
    return share && std::isfinite(*share) ? share : std::nullopt;
  }
  const auto whole = parse_as<std::int32_t>(text);
  return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

Result<double> part_of_range(const Parameter& parameter, const std::string& text) {
  if (const auto number = number_of(parameter, text)) return *number;
  const bool is_size = parameter.kind == ParameterKind::kSize;
  const bool is_share = parameter.kind == ParameterKind::kRatio;
  return fail(Code::kInvalidArgument, "'{}' is no {}; expected {}", printable(text, 100),
              is_size ? "size" : "number",
              is_size    ? "a size such as 4GiB"
              : is_share ? "a number such as 0.5"
                         : "a whole number");
}

std::string text_in_range(const Parameter& parameter, double number) {
  if (parameter.kind != ParameterKind::kRatio) {
    return std::to_string(static_cast<std::int64_t>(number));
  }
  return fmt::format("{}", std::round(number * kDigitsOfShares) / kDigitsOfShares);
}

Status too_many(double plans) {
  return fail(Code::kInvalidArgument, "{:.0f} plans; expected at most {}", plans, kMostPlans);
}

// FIRST, LAST and the distance of two values.
struct NumberSteps {
  double first = 0, last = 0, step = 1;
};

Result<NumberSteps> parse_range(const Parameter& parameter, const std::string& text) {
  const std::vector<std::string> parts = split_list(text, ':');
  // An empty part is not one of the list.
  const auto colons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  if (parts.size() != colons + 1 || parts.size() > 3) {
    return fail(Code::kInvalidArgument, "'{}' is no range; expected {}", printable(text, 100),
                kForms);
  }
  NumberSteps range;
  TIDELINE_TRY(range.first, part_of_range(parameter, parts[0]));
  TIDELINE_TRY(range.last, part_of_range(parameter, parts[1]));
  const bool counts_by_one =
      parameter.kind == ParameterKind::kInteger || parameter.kind == ParameterKind::kChoice;
  if (parts.size() == 3) {
    TIDELINE_TRY(range.step, part_of_range(parameter, parts[2]));
  } else if (!counts_by_one) {
    return fail(Code::kInvalidArgument, "the range '{}' has no step; expected FIRST:LAST:STEP",
                printable(text, 100));
  }
  if (!(range.step > 0)) {
    return fail(Code::kInvalidArgument, "the step is {}; expected one above 0", parts[2]);
  }
  if (range.first > range.last) {
    return fail(Code::kInvalidArgument,
                "the range '{}' is reversed; expected its first value not above the last",
                printable(text, 100));
  }
  return range;
}

Result<std::vector<Value>> values_in_range(const Parameter& parameter, const std::string& text) {
  TIDELINE_TRY(const NumberSteps range, parse_range(parameter, text));
  constexpr double kRounding = 1e-9;  // of shares: 0.7 is 0.1 + 6 * 0.1
  const double more = std::floor((range.last - range.first) / range.step + kRounding);
  if (more >= static_cast<double>(kMostPlans)) {
    TIDELINE_RETURN_IF_ERROR(too_many(more + 1));
  }
  std::vector<Value> values;
  for (double i = 0; i <= more; ++i) {
    TIDELINE_TRY(Value value,
                 value_in(parameter, text_in_range(parameter, range.first + i * range.step)));
    values.push_back(std::move(value));
  }
  return values;
}

Result<std::vector<Value>> values_in_list(const Parameter& parameter, const std::string& text) {
  const std::vector<std::string> parts = split_list(text, ',');
  const auto commas = static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
  if (parts.size() != commas + 1) {
    return fail(Code::kInvalidArgument, "'{}' is no list of values; expected {}",
                printable(text, 100), kForms);
  }
  if (parts.size() > kMostPlans) {
    TIDELINE_RETURN_IF_ERROR(too_many(static_cast<double>(parts.size())));
  }
  std::vector<Value> values;
  for (const std::string& part : parts) {
    TIDELINE_TRY(Value value, value_in(parameter, part));
    values.push_back(std::move(value));
  }
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) {
    return fail(Code::kInvalidArgument, "{} stands twice; expected each value once",
                value_text(*twice, parameter.kind));
  }
  return values;
}

}  // namespace

std::vector<const Parameter*> variable_parameters(const Rewriter& rewriter) {
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : rewriter.parameters) {
    if (is_number(parameter) && parameter.group != ParameterGroup::kGraph) {
      found.push_back(&parameter);
    }
  }
  if (const Parameter* batch = batch_parameter()) found.push_back(batch);
  found.push_back(find_parameter(budget_parameters(), "device-memory"));
  return found;
}

std::string_view varied_name(std::string_view text) {
  return text.substr(0, text.find('='));
}

Result<Varied> parse_varied(const Rewriter& rewriter, const std::string& text) {
  const std::string_view name = varied_name(text);
  const std::vector<const Parameter*> all = variable_parameters(rewriter);
  const auto parameter = std::find_if(all.begin(), all.end(),
                                      [&](const Parameter* entry) { return entry->name == name; });
  if (parameter == all.end()) {
    std::vector<std::string_view> names;
    for (const Parameter* entry : all) names.push_back(entry->name);
    return fail(Code::kInvalidArgument, "'{}' is no number of {}; expected NAME={}, NAME one of {}",
                printable(name, 100), rewriter.id, kForms, fmt::join(names, ", "));
  }
  const std::string values(text.substr(std::min(text.size(), name.size() + 1)));
  if (values.empty()) {
    return fail(Code::kInvalidArgument, "'{}' has no values; expected NAME={}", printable(name),
                kForms);
  }
  Varied varied{*parameter};
  const bool is_range = values.find(':') != std::string::npos;
  TIDELINE_TRY(varied.values, is_range ? values_in_range(**parameter, values)
                                       : values_in_list(**parameter, values));
  return varied;
}

Result<std::size_t> count_combinations(std::span<const Varied> varied) {
  double count = 1;
  for (std::size_t i = 0; i < varied.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      if (varied[before].parameter->name != varied[i].parameter->name) continue;
      return fail(Code::kInvalidArgument, "{} is varied twice; expected each parameter once",
                  varied[i].parameter->name);
    }
    count *= static_cast<double>(varied[i].values.size());
  }
  if (count > static_cast<double>(kMostPlans)) TIDELINE_RETURN_IF_ERROR(too_many(count));
  return static_cast<std::size_t>(count);
}

std::vector<Value> combination(std::span<const Varied> varied, std::size_t index) {
  std::vector<Value> values(varied.size());
  for (std::size_t i = varied.size(); i-- > 0;) {
    values[i] = varied[i].values[index % varied[i].values.size()];
    index /= varied[i].values.size();
  }
  return values;
}

}  // namespace tideline
