// Tested by unit/rewrite/policy_parameters_test.cc.
#include "core/rewrite/policy_parameters.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace tideline {
namespace {

constexpr std::array<Choice, 2> kModels = {Choice{"faithful", ""}, {"compatible", ""}};

constexpr std::array<Parameter, 4> kBudget = {
    Parameter{.name = "device-memory",
              .title = "device budget",
              .kind = ParameterKind::kSize,
              .default_value = [] { return Value(); },
              .help = "Find the parameters not given, such that a step fits into SIZE; 4G is 4GiB",
              .expected = "a size such as 4GiB, or none",
              .type_name = "SIZE",
              .may_be_none = true},
    Parameter{.name = "host-memory",
              .title = "host budget",
              .kind = ParameterKind::kSize,
              .default_value = [] { return Value(std::int64_t{MemoryBudget{}.host}); },
              .help = "Warn if the copies need more host memory than this (default: 64GiB)",
              .expected = "a size such as 64GiB",
              .type_name = "SIZE"},
    Parameter{.name = "memory-ratio",
              .title = "memory ratio",
              .kind = ParameterKind::kRatio,
              .default_value = [] { return Value(); },
              .help = "Share of the device memory that may be used (default: all of it; 0.9 in the "
                      "reference's own search)",
              .expected = "a number above 0, at most 1, or none",
              .type_name = "R",
              .may_be_none = true},
    Parameter{.name = "model",
              .title = "model of the search",
              .kind = ParameterKind::kChoice,
              .default_value = [] { return Value(std::string("faithful")); },
              .help = "How to search: faithful (default; simulates an executor, and the fastest "
                      "parameters that fit win) or compatible (the reference's own search)",
              .expected = "faithful or compatible",
              .type_name = "MODEL",
              .choices = kModels},
};

Value budget_value(const Policy& policy, const Parameter& parameter) {
  const MemoryBudget budget = policy.budget.value_or(MemoryBudget{});
  if (parameter.name == "device-memory") {
    return budget.device > 0 ? Value(std::int64_t{budget.device}) : Value();
  }
  if (parameter.name == "host-memory") return std::int64_t{budget.host};
  if (parameter.name == "memory-ratio") return budget.ratio ? Value(*budget.ratio) : Value();
  return std::string(policy.search.is_faithful ? "faithful" : "compatible");
}

void set_budget_value(Policy& policy, const Parameter& parameter, const Value& value) {
  if (parameter.name == "model") {
    policy.search.is_faithful = std::get<std::string>(value) == "faithful";
    return;
  }
  MemoryBudget budget = policy.budget.value_or(MemoryBudget{});
  const auto* size = std::get_if<std::int64_t>(&value);
  if (parameter.name == "device-memory") budget.device = size == nullptr ? 0 : *size;
  if (parameter.name == "host-memory") budget.host = *size;
  if (parameter.name == "memory-ratio") {
    const auto* ratio = std::get_if<double>(&value);
    budget.ratio = ratio == nullptr ? std::nullopt : std::optional(*ratio);
  }
  // A budget without values is no budget.
  policy.budget = budget == MemoryBudget{} ? std::nullopt : std::optional(budget);
}

Value any_value(const Policy& policy, const Parameter& parameter) {
  return is_budget_parameter(parameter.name) ? budget_value(policy, parameter)
                                             : policy.values.get(parameter);
}

}  // namespace

std::vector<const Parameter*> policy_parameters() {
  std::vector<const Parameter*> all;
  for (const Rewriter* rewriter : rewriters()) {
    for (const Parameter& parameter : rewriter->parameters) {
      const bool is_known = std::any_of(all.begin(), all.end(), [&](const Parameter* entry) {
        return entry->name == parameter.name;
      });
      if (!is_known && parameter.group != ParameterGroup::kGraph) all.push_back(&parameter);
    }
  }
  for (const Parameter& parameter : kBudget) all.push_back(&parameter);
  return all;
}

std::span<const Parameter> budget_parameters() {
  return kBudget;
}

bool is_budget_parameter(std::string_view name) {
  return find_parameter(kBudget, name) != nullptr;
}

const Parameter* find_policy_parameter(std::string_view name) {
  for (const Parameter* parameter : policy_parameters()) {
    if (parameter->name == name) return parameter;
  }
  return nullptr;
}

bool has_effect(const Policy& policy, const Parameter& parameter) {
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr) return false;
  const std::optional<Search>& search = rewriter->search;
  if (parameter.name == "memory-ratio") return search.has_value();
  if (parameter.name == "model") return search && search->has_models;
  if (parameter.name == "host-memory" && search) return search->has_host_budget;
  return is_budget_parameter(parameter.name) || rewriter->find(parameter.name) != nullptr;
}

void leave_to_search(Policy& policy) {
  constexpr std::int64_t kNotGiven = -1;
  for (const Parameter& parameter : policy.chosen()->parameters) {
    if (parameter.is_found) policy.values.set(parameter, kNotGiven);
  }
}

std::string parameter_text(const Policy& policy, const Parameter& parameter) {
  return value_text(any_value(policy, parameter), parameter.kind);
}

bool is_default(const Policy& policy, const Parameter& parameter) {
  return any_value(policy, parameter) == parameter.default_value();
}

Status set_parameter(Policy& policy, const std::string& name, const std::string& text) {
  const Parameter* parameter = find_policy_parameter(name);
  if (parameter == nullptr) {
    return fail(Code::kInvalidArgument,
                "'{}' is not a parameter of a policy; expected one such as {}", printable(name),
                policy_parameters().front()->name);
  }
  auto value = parse_value(*parameter, text);
  if (!value) {
    return fail(Code::kInvalidArgument, "{} cannot be '{}'; expected {}", name, printable(text),
                parameter->expected);
  }
  if (is_budget_parameter(name)) {
    set_budget_value(policy, *parameter, *value);
  } else {
    policy.values.set(*parameter, *std::move(value));
  }
  return {};
}

}  // namespace tideline
