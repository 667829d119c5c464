#include "core/rewrite/lms2/candidates.h"

#include <algorithm>
#include <set>

#include "core/base/parse.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/if_there.h"

namespace tideline::lms2 {
namespace {

// Types that the reference never swaps. Then ours: arguments and results of a function, whose
// memory belongs to the caller. A missing comma in the reference joins AssignSubVariableOp and
// ResourceGather, so neither is in its list.
constexpr std::string_view kFixedTypes =
    "Const Identity Read Placeholder PlaceholderWithDefault VarHandleOp VarIsInitializedOp "
    "VariableShape ReadVariableOp AssignVariableOp AssignAddVariableOp "
    "AssignSubVariableOpResourceGather ResourceScatterAdd ResourceScatterSub "
    "ResourceScatterMul ResourceScatterDiv ResourceScatterMin ResourceScatterMax "
    "ResourceScatterUpdate ResourceScatterNdUpdate ResourceScatterNdAdd Range RandomUniform "
    "Assign AssignAdd AssignSub Queue ScatterAdd ScatterSub ScatterUpdate TruncatedNormal "
    "Variable VariableV2 _Arg _Retval";

// Ops that a filter matches, by op. Checks that everything the user named is there.
class Matcher {
 public:
  static Result<Matcher> build(const Graph& graph, const OpFilter& filter) {
    Matcher matcher;
    matcher.scope_.resize(graph.op_count());
    for (const std::string& entry : filter.scopes) {
      const auto [scope, is_optional] = filter_entry(entry);
      bool found = is_optional;
      for (const OpId op : graph.ops()) {
        if (!graph.name(op).starts_with(scope)) continue;
        matcher.scope_[op.index()] = true;
        found = true;
      }
      if (!found) {
        return fail(Code::kNotFound, "No operations were found with scope {}.{}", scope,
                    nearest_scopes(graph, scope));
      }
    }
    std::set<std::string> missing;
    std::vector<std::string_view> wanted;
    for (const std::string& entry : filter.types) {
      const auto [type, is_optional] = filter_entry(entry);
      wanted.push_back(type);
      const auto& types = graph.types();
      if (!is_optional && std::find(types.begin(), types.end(), type) == types.end() &&
          !is_fixed_type(type)) {
        missing.insert(fmt::format("'{}'", type));
      }
    }
    if (!missing.empty()) {
      return fail(Code::kNotFound, "No operations were found with types:  {{{}}}.{}",
                  fmt::join(missing, ", "), nearest_types(graph, *missing.begin()));
    }
    for (const std::string_view type : graph.types()) {
      matcher.type_.push_back(std::find(wanted.begin(), wanted.end(), type) != wanted.end());
    }
    matcher.empty_ = filter.empty();
    return matcher;
  }

  [[nodiscard]] bool empty() const { return empty_; }
  [[nodiscard]] bool by_scope(OpId op) const { return scope_[op.index()]; }
  [[nodiscard]] bool by_type(const Graph& graph, OpId op) const { return type_[graph.type_id(op)]; }

 private:
  std::vector<bool> scope_;
  std::vector<bool> type_;  // by type id
  bool empty_ = true;
};

Verdict judge(const Context& context, const Matcher& included, const Matcher& excluded,
              const std::vector<bool>& is_fixed, OpId op) {
  const Graph& graph = context.graph;
  if (context.placement.on_cpu(op)) return Verdict::kOnCpu;
  if (!context.placement.on_device(op)) return Verdict::kOtherDevice;
  if (context.is_inactive(op)) return Verdict::kInactive;
  if (is_fixed[graph.type_id(op)]) return Verdict::kFixedType;
  if (!included.empty() && !included.by_scope(op) && !included.by_type(graph, op)) {
    return Verdict::kNotIncluded;
  }
  if (excluded.by_scope(op)) return Verdict::kExcludedByScope;
  if (excluded.by_type(graph, op)) return Verdict::kExcludedByType;
  return Verdict::kCandidate;
}

}  // namespace

bool is_fixed_type(std::string_view type) {
  return has_word(kFixedTypes, type);
}

Result<Candidates> find_candidates(const Context& context) {
  const Graph& graph = context.graph;
  const Lms2Options& options = context.options;
  TIDELINE_TRY(const Matcher incl_output, Matcher::build(graph, options.incl_output));
  TIDELINE_TRY(const Matcher incl_input, Matcher::build(graph, options.incl_input));
  TIDELINE_TRY(const Matcher excl_output, Matcher::build(graph, options.excl_output));
  TIDELINE_TRY(const Matcher excl_input, Matcher::build(graph, options.excl_input));
  std::vector<bool> is_fixed;
  for (const std::string_view type : graph.types()) is_fixed.push_back(is_fixed_type(type));
  Candidates candidates;
  TIDELINE_TRY(candidates.overrides, Overrides::find(graph, context.tensors,
                                                     {options.keep_tensors, options.swap_tensors,
                                                      options.ahead_tensors}));
  candidates.source.reserve(graph.op_count());
  candidates.consumer.reserve(graph.op_count());
  for (const OpId op : graph.ops()) {
    candidates.source.push_back(judge(context, incl_output, excl_output, is_fixed, op));
    candidates.consumer.push_back(judge(context, incl_input, excl_input, is_fixed, op));
  }
  return candidates;
}

std::string explain(const Context& context, Verdict verdict, OpId op, const OpFilter& excluded) {
  switch (verdict) {
    case Verdict::kCandidate: return "candidate";
    case Verdict::kNotIncluded: return "not among the included scopes and types";
    case Verdict::kExcludedByScope:
      for (const std::string& scope : excluded.scopes) {
        const std::string_view name = filter_entry(scope).name;
        if (context.graph.name(op).starts_with(name))
          return fmt::format("excluded by scope {}", name);
      }
      return "excluded by scope";
    case Verdict::kExcludedByType:
      return fmt::format("excluded by type {}", context.graph.type(op));
    case Verdict::kFixedType:
      return fmt::format("type {} is never swapped", context.graph.type(op));
    case Verdict::kOnCpu: return "on CPU";
    case Verdict::kOtherDevice: return fmt::format("on device '{}'", context.graph.device(op));
    case Verdict::kInactive: return "inactive";
    case Verdict::kReadsNothing: return "reads nothing in the step that TensorFlow runs";
  }
  return "";
}

}  // namespace tideline::lms2
