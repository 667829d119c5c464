// Tested by unit/session/wish_test.cc.
#include "app/session/wish.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostShown = 40;  // bytes of a value in a title

std::string batch_text(const Wish& wish) {
  return wish.batch_size ? std::to_string(*wish.batch_size) : "none";
}

// "442919424" as "422.40 MiB"; what is no size as it is.
std::string short_size(const std::string& text) {
  const auto bytes = parse_size(text);
  return bytes ? format_bytes(*bytes) : text;
}

// Values have no room in a menu when they are long lists: then only what came or went is said.
std::string change_of(std::string_view name, const std::string& before, const std::string& after) {
  const std::vector<std::string> was = split_list(before, ',');
  const std::vector<std::string> is = split_list(after, ',');
  const auto missing_in = [](const std::vector<std::string>& list) {
    return [&list](const std::string& item) {
      return std::find(list.begin(), list.end(), item) == list.end();
    };
  };
  const auto added = std::find_if(is.begin(), is.end(), missing_in(was));
  const auto removed = std::find_if(was.begin(), was.end(), missing_in(is));
  if (is.size() == was.size() + 1 && added != is.end()) {
    return fmt::format("{} + {}", name, printable(*added, kMostShown));
  }
  if (was.size() == is.size() + 1 && removed != was.end() && !is.empty()) {
    return fmt::format("{} - {}", name, printable(*removed, kMostShown));
  }
  return fmt::format("{} {} -> {}", name, before.empty() ? "none" : printable(before, kMostShown),
                     after.empty() ? "none" : printable(after, kMostShown));
}

}  // namespace

std::string describe_change(const Wish& before, const Wish& after) {
  std::vector<std::string> changes;
  const auto compare = [&](std::string_view name, const std::string& was, const std::string& is) {
    if (was != is) changes.push_back(change_of(name, was, is));
  };
  compare("mode", before.policy.rewriter, after.policy.rewriter);
  for (const Parameter* parameter : policy_parameters()) {
    const std::string was = parameter_text(before.policy, *parameter);
    const std::string is = parameter_text(after.policy, *parameter);
    const bool is_size = parameter->kind == ParameterKind::kSize;
    if (was != is)
      changes.push_back(change_of(parameter->name, is_size ? short_size(was) : was,
                                  is_size ? short_size(is) : is));
  }
  compare("batch size", batch_text(before), batch_text(after));
  if (before.shapes != after.shapes) changes.emplace_back("shapes");
  if (before.rounds != after.rounds) changes.emplace_back("rounds of loops");
  compare("branches", given_branches_text(before.run.branches),
          given_branches_text(after.run.branches));
  compare("as-run", run_model_text(before.run), run_model_text(after.run));
  compare("profile", before.profile.name, after.profile.name);
  if (changes.empty()) return "change";
  if (changes.size() == 1) return changes.front();
  return fmt::format("{} and {} more", changes.front(), changes.size() - 1);
}

std::string run_model_text(const RunModel& run) {
  std::string text(as_run_name(run.as_run));
  if (run.executor != Executor::kByDevices) text += fmt::format(" {}", executor_name(run.executor));
  return text;
}

Policy effective_policy(const Policy& policy) {
  Policy effective = policy;
  if (effective.budget && effective.budget->device <= 0) effective.budget.reset();
  return effective;
}

bool choose_rewriter(Policy& policy, std::string_view id, std::int32_t levels) {
  policy.rewriter = std::string(id);
  const Rewriter* rewriter = policy.chosen();
  const bool is_searched =
      rewriter != nullptr && rewriter->search && effective_policy(policy).budget;
  if (rewriter == nullptr || rewriter->add_starting_values == nullptr || is_searched) return false;
  const bool is_missing = rewriter->can_tune() && rewriter->search->is_needed(policy.values);
  rewriter->add_starting_values(policy.values, levels);
  return is_missing;
}

}  // namespace tideline::app
