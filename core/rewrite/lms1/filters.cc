#include "core/rewrite/lms1/filters.h"

#include <algorithm>
#include <set>

#include "core/base/parse.h"
#include "core/base/scope_name.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/if_there.h"

namespace tideline::lms1 {
namespace {

constexpr std::string_view kFixedTypes =
    "Const Mul Add Identity Assign VariableV2 Reshape Shape ShapeN Placeholder";
// Not in the reference: arguments and results of a function, whose memory belongs to the caller. In
// a separate list, because the reference reports such a type, if the user gives it, as unknown.
constexpr std::string_view kFunctionTypes = "_Arg _Retval";

// `scope` or below it; a slash at its end makes no difference.
bool is_in_scope(std::string_view name, std::string_view scope) {
  return is_within(name, without_slash(scope));
}

// The reachable ops that scopes and types match.
struct Matches {
  std::vector<bool> by_scope;  // by op
  std::vector<bool> by_type;   // by type id
  bool any = false;            // op matched

  [[nodiscard]] bool contains(const Graph& graph, OpId op) const {
    return by_scope[op.index()] || by_type[graph.type_id(op)];
  }
};

Result<Matches> find_matches(const Graph& graph, const std::vector<bool>& is_reachable,
                             const std::vector<std::string>& scopes,
                             const std::vector<std::string>& types) {
  Matches matches{std::vector<bool>(graph.op_count()), {}, false};
  for (const std::string& entry : scopes) {
    const auto [scope, is_optional] = filter_entry(entry);
    bool found = is_optional;
    for (const OpId op : graph.ops()) {
      if (!is_reachable[op.index()] || !is_in_scope(graph.name(op), scope)) continue;
      matches.by_scope[op.index()] = true;
      found = true;
    }
    if (!found)
      return fail(Code::kNotFound, "No operations were found with scope {}.{}", scope,
                  nearest_scopes(graph, scope));
    matches.any = true;
  }
  std::vector<std::string_view> wanted;
  for (const std::string& type : types) wanted.push_back(filter_entry(type).name);
  std::vector<bool> type_is_reachable(graph.types().size());
  for (const OpId op : graph.ops()) {
    if (is_reachable[op.index()]) type_is_reachable[graph.type_id(op)] = true;
  }
  std::set<std::string_view> found;
  for (std::size_t id = 0; id < graph.types().size(); ++id) {
    const bool is_listed =
        std::find(wanted.begin(), wanted.end(), graph.types()[id]) != wanted.end();
    matches.by_type.push_back(type_is_reachable[id] && is_listed);
    if (matches.by_type.back()) found.insert(graph.types()[id]);
  }
  matches.any = matches.any || !found.empty();
  std::set<std::string> missing;
  for (const std::string& entry : types) {
    const auto [type, is_optional] = filter_entry(entry);
    matches.any = matches.any || is_optional;
    if (!is_optional && found.count(type) == 0 && !has_word(kFixedTypes, type)) {
      missing.insert(fmt::format("'{}'", type));
    }
  }
  if (!missing.empty()) {
    return fail(Code::kNotFound, "No operations were found with types:  {{{}}}.{}",
                fmt::join(missing, ", "), nearest_types(graph, *missing.begin()));
  }
  return matches;
}

}  // namespace

bool is_fixed_type(std::string_view type) {
  return has_word(kFixedTypes, type) || has_word(kFunctionTypes, type);
}

Result<std::vector<Verdict>> filter_sources(const Graph& graph,
                                            const std::vector<bool>& is_reachable,
                                            const Lms1Options& options) {
  TIDELINE_TRY(const Matches excluded,
               find_matches(graph, is_reachable, options.excl_scopes, options.excl_types));
  TIDELINE_TRY(const Matches included,
               find_matches(graph, is_reachable, options.incl_scopes, options.incl_types));
  std::vector<bool> is_fixed;
  for (const std::string_view type : graph.types()) is_fixed.push_back(is_fixed_type(type));
  std::vector<Verdict> verdicts;
  verdicts.reserve(graph.op_count());
  for (const OpId op : graph.ops()) {
    const std::uint32_t type = graph.type_id(op);
    verdicts.push_back(!is_reachable[op.index()]                       ? Verdict::kNotReachable
                       : is_fixed[type]                                ? Verdict::kFixedType
                       : excluded.by_scope[op.index()]                 ? Verdict::kExcludedByScope
                       : excluded.by_type[type]                        ? Verdict::kExcludedByType
                       : included.any && !included.contains(graph, op) ? Verdict::kNotIncluded
                                                                       : Verdict::kSource);
  }
  return verdicts;
}

std::string explain(const Graph& graph, const Lms1Options& options, Verdict verdict, OpId op) {
  switch (verdict) {
    case Verdict::kSource: return "source";
    case Verdict::kNotReachable: return "not reachable from the starting ops";
    case Verdict::kExcludedByScope:
      for (const std::string& scope : options.excl_scopes) {
        const std::string_view name = filter_entry(scope).name;
        if (is_in_scope(graph.name(op), name)) return fmt::format("excluded by scope {}", name);
      }
      return "excluded by scope";
    case Verdict::kExcludedByType: return fmt::format("excluded by type {}", graph.type(op));
    case Verdict::kFixedType: return fmt::format("type {} is never swapped", graph.type(op));
    case Verdict::kNotIncluded: return "not among the included scopes and types";
  }
  return "";
}

}  // namespace tideline::lms1
