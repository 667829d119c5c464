// What the filters of a policy say about name scopes: one of three rules for each scope. Front ends
// show and set the filters of a rewriter (Rewriter::include_scopes, exclude_scopes) through this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/policy.h"

namespace tideline {

/// What a user says about the outputs of the ops in a scope.
enum class ScopeRule : std::uint8_t {
  kAutomatic,  ///< nothing: parameters and the other filters decide
  kNever,      ///< they are never swapped
  kOnly,       ///< only they, and outputs in other such scopes, are swapped
};
/// "auto", "never", "only".
[[nodiscard]] std::string_view scope_rule_name(ScopeRule rule);

/// What happens to a scope under all rules together.
enum class ScopeEffect : std::uint8_t {
  kAutomatic,
  kNever,    ///< by its own rule, or the rule of a scope around it or a prefix of its name
  kOnly,     ///< likewise
  kLeftOut,  ///< other scopes are kOnly, and neither this one nor one inside it is
};

/// The rules of a policy. Thread: a plain value.
struct ScopeRules {
  bool can_be_set = false;               ///< false: the rewriter has no filters of scopes
  bool are_whole = false;                ///< as Rewriter::scopes_are_whole
  std::vector<std::string> only, never;  ///< the lists of the filters

  [[nodiscard]] bool empty() const { return only.empty() && never.empty(); }
  /// The rule of this very scope. The path has no slash at its end, the filters' entries may.
  [[nodiscard]] ScopeRule own(std::string_view path) const;
  [[nodiscard]] ScopeEffect effect(std::string_view path) const;
  /// "only: conv1, conv2; never: fc"; empty without rules.
  [[nodiscard]] std::string text() const;
};

/// The rules of the chosen rewriter; if the policy is off, of the first one.
[[nodiscard]] ScopeRules scope_rules(const Policy& policy);

/// Gives the scope `path` of `graph` a rule and leaves all others as they are. Where filters are
/// plain prefixes that other ops' names begin with, too, a slash is added: "conv1/" leaves "conv10"
/// alone. Errors: kUnsupported if the rewriter has no filters of scopes; kInvalidArgument for an
/// empty path. Cost: O(ops).
[[nodiscard]] Status set_scope_rule(Policy& policy, const Graph& graph, std::string_view path,
                                    ScopeRule rule);
/// Removes all rules of the chosen rewriter.
void clear_scope_rules(Policy& policy);

}  // namespace tideline
