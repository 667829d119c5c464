// Tested by unit/rewrite/scope_rules_test.cc.
#include "core/rewrite/lms/scope_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/scope_name.h"
#include "core/base/text.h"
#include "core/rewrite/lms/if_there.h"

namespace tideline {
namespace {

const Rewriter* rewriter_of(const Policy& policy) {
  const Rewriter* rewriter = policy.is_off() ? rewriters().front() : policy.chosen();
  if (rewriter == nullptr || rewriter->include_scopes == nullptr ||
      rewriter->exclude_scopes == nullptr) {
    return nullptr;
  }
  return rewriter;
}

// Whether a filter matches all ops below `path`.
bool covers(std::string_view entry, std::string_view path, bool is_whole) {
  entry = filter_entry(entry).name;
  const std::string inside = std::string(path) + '/';
  return inside.starts_with(is_whole ? std::string(without_slash(entry)) + '/'
                                     : std::string(entry));
}

bool any_covers(const std::vector<std::string>& list, std::string_view path, bool is_whole) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& entry) { return covers(entry, path, is_whole); });
}

bool holds(const std::vector<std::string>& list, std::string_view path) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& entry) {
    return without_slash(filter_entry(entry).name) == path;
  });
}

void remove(std::vector<std::string>& list, std::string_view path) {
  std::erase_if(list, [&](const std::string& entry) {
    return without_slash(filter_entry(entry).name) == path;
  });
}

// What the filter of a prefix has to say to mean the scope alone.
std::string entry_for(const Graph& graph, std::string_view path, bool is_whole) {
  if (is_whole) return std::string(path);
  for (const OpId op : graph.ops()) {
    const std::string_view name = graph.name(op);
    const bool is_other =
        name.size() > path.size() && name.starts_with(path) && name[path.size()] != '/';
    if (is_other) return std::string(path) + '/';
  }
  return std::string(path);
}

}  // namespace

std::string_view scope_rule_name(ScopeRule rule) {
  switch (rule) {
    case ScopeRule::kAutomatic: return "auto";
    case ScopeRule::kNever: return "never";
    case ScopeRule::kOnly: return "only";
  }
  return "";
}

ScopeRule ScopeRules::own(std::string_view path) const {
  if (holds(never, path)) return ScopeRule::kNever;
  return holds(only, path) ? ScopeRule::kOnly : ScopeRule::kAutomatic;
}

ScopeEffect ScopeRules::effect(std::string_view path) const {
  if (any_covers(never, path, are_whole)) return ScopeEffect::kNever;
  if (only.empty()) return ScopeEffect::kAutomatic;
  if (any_covers(only, path, are_whole)) return ScopeEffect::kOnly;
  const std::string inside = std::string(path) + '/';
  const bool has_some = std::any_of(only.begin(), only.end(), [&](const std::string& entry) {
    return entry.starts_with(inside);
  });
  return has_some ? ScopeEffect::kAutomatic : ScopeEffect::kLeftOut;
}

std::string ScopeRules::text() const {
  std::string text;
  const auto add = [&](std::string_view title, const std::vector<std::string>& list) {
    if (list.empty()) return;
    if (!text.empty()) text += "; ";
    text += fmt::format("{}: {}", title, printable(fmt::format("{}", fmt::join(list, ", ")), 400));
  };
  add("only", only);
  add("never", never);
  return text;
}

ScopeRules scope_rules(const Policy& policy) {
  ScopeRules rules;
  const Rewriter* rewriter = rewriter_of(policy);
  if (rewriter == nullptr) return rules;
  rules.can_be_set = true;
  rules.are_whole = rewriter->scopes_are_whole;
  rules.only = policy.values.names(*rewriter->include_scopes);
  rules.never = policy.values.names(*rewriter->exclude_scopes);
  return rules;
}

Status set_scope_rule(Policy& policy, const Graph& graph, std::string_view path, ScopeRule rule) {
  const Rewriter* rewriter = rewriter_of(policy);
  if (rewriter == nullptr) {
    return fail(Code::kUnsupported, "the policy {} has no filters of scopes", policy.rewriter);
  }
  path = without_slash(path);
  if (path.empty()) {
    return fail(Code::kInvalidArgument, "the scope has no name; expected its path");
  }
  ScopeRules rules = scope_rules(policy);
  remove(rules.only, path);
  remove(rules.never, path);
  const auto entry = [&] { return entry_for(graph, path, rules.are_whole); };
  if (rule == ScopeRule::kNever) rules.never.push_back(entry());
  if (rule == ScopeRule::kOnly) rules.only.push_back(entry());
  policy.values.set(*rewriter->include_scopes, std::move(rules.only));
  policy.values.set(*rewriter->exclude_scopes, std::move(rules.never));
  return {};
}

void clear_scope_rules(Policy& policy) {
  const Rewriter* rewriter = rewriter_of(policy);
  if (rewriter == nullptr) return;
  policy.values.set(*rewriter->include_scopes, std::vector<std::string>());
  policy.values.set(*rewriter->exclude_scopes, std::vector<std::string>());
}

}  // namespace tideline
