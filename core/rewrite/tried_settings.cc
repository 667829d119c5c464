// Tested by tests/unit/view/tried_chart_test.cc.
#include "core/rewrite/tried_settings.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace tideline {
namespace {

const Search& search_of(const Policy& policy) {
  return *policy.chosen()->search;
}

}  // namespace

bool TriedSettings::are_of(const Policy& other) const {
  if (other.rewriter != policy.rewriter) return false;
  Policy same = other;
  const auto copy_value = [&](const Parameter* parameter) {
    if (parameter != nullptr) same.values.set(*parameter, policy.values.get(*parameter));
  };
  for (const Parameter* parameter : search_of(policy).parameters) copy_value(parameter);
  for (const auto& [name, is_on] : found.switches) copy_value(policy.chosen()->find(name));
  // A plan that was searched for keeps more than the user lists.
  for (const Parameter& parameter : policy.chosen()->parameters) {
    if (parameter.kind != ParameterKind::kNames || found.kept.empty()) continue;
    const Value listed = policy.values.get(parameter);
    const auto* list = std::get_if<std::vector<std::string>>(&listed);
    std::vector<std::string> names = list == nullptr ? std::vector<std::string>() : *list;
    names.insert(names.end(), found.kept.begin(), found.kept.end());
    if (same.values.get(parameter) == Value(names)) copy_value(&parameter);
  }
  return same == policy;
}

Policy TriedSettings::taken(std::size_t trial) const {
  Policy taken = policy;
  for (const Parameter* parameter : search_of(policy).parameters) {
    taken.values.set(*parameter, found.trials[trial].values.get(*parameter));
  }
  for (const auto& [name, is_on] : found.switches) {
    if (const Parameter* parameter = policy.chosen()->find(name); parameter != nullptr) {
      taken.values.set(*parameter, is_on);
    }
  }
  return taken;
}

std::optional<std::size_t> TriedSettings::trial_of(const Policy& used) const {
  if (used.rewriter != policy.rewriter) return std::nullopt;
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    const auto& parameters = search_of(policy).parameters;
    const bool is_it =
        std::all_of(parameters.begin(), parameters.end(), [&](const Parameter* parameter) {
          return used.values.get(*parameter) == found.trials[i].values.get(*parameter);
        });
    if (is_it) return i;
  }
  return std::nullopt;
}

std::string TriedSettings::text(std::size_t trial) const {
  return policy.chosen()->caption(found.trials[trial].values, /*with_defaults=*/true);
}

std::int64_t TriedSettings::added_ns(std::size_t trial) const {
  const std::int64_t step = found.trials[trial].step_ns;
  return step == 0 ? 0 : step - found.without.step_ns;
}

}  // namespace tideline
