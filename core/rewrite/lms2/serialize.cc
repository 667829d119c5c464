#include "core/rewrite/lms2/serialize.h"

#include <algorithm>
#include <set>

#include "core/rewrite/lms/draft.h"

namespace tideline::lms2 {
namespace {

bool has_word(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Bytes of the active device ops of a level.
Bytes level_bytes(const Context& context, std::int32_t level) {
  Bytes total = 0;
  for (const OpId op : context.levels.ops(level)) {
    if (context.is_active_device_op(op)) {
      total = saturating_add(total, op_bytes(context.graph, context.tensors, op));
    }
  }
  return total;
}

std::int32_t highest_assign_level(const Context& context, const std::vector<OpId>& variables) {
  std::int32_t highest = 0;
  for (const OpId variable : variables) {
    const OpId assign = context.graph.find(fmt::format("{}/Assign", context.graph.name(variable)));
    if (assign.valid()) highest = std::max(highest, context.levels.level(assign));
  }
  return highest;
}

bool can_be_chained(const Context& context, const std::vector<OpId>& variables, OpId op) {
  const std::string_view name = context.graph.name(op);
  return context.is_eligible(op) && !has_word(name, "/cond/") && !has_word(name, "loss") &&
         !std::binary_search(variables.begin(), variables.end(), op);
}

Result<std::set<std::int32_t>> selected_levels(const Context& context,
                                               std::vector<std::string>& log) {
  std::set<std::int32_t> selected;
  for (const std::string& text : context.options.serialization) {
    TIDELINE_TRY(const std::vector<int> levels, select_levels(text, context.levels.count()));
    selected.insert(levels.begin(), levels.end());
  }
  if (const auto limit = context.options.serialization_by_size) {
    for (std::int32_t level = 0; level < context.levels.count(); ++level) {
      if (level_bytes(context, level) > *limit) selected.insert(level);
    }
    log.push_back(fmt::format("  Serialize topological sort levels consuming more than: {:.2f} GiB",
                              static_cast<double>(*limit) / kBytesPerGiB));
  }
  return selected;
}

}  // namespace

Status serialize_levels(const Context& context, const std::vector<OpId>& variables, LmsPlan& plan) {
  TIDELINE_TRY(const std::set<std::int32_t> selected, selected_levels(context, plan.log));
  const std::int32_t assign_level = highest_assign_level(context, variables);
  plan.log.push_back(fmt::format("  The maximum level of Assign ops: {}", assign_level));

  Draft draft(context.graph, context.consumers);
  std::int64_t left_out = 0;
  std::int64_t crossing = 0;
  const auto chain = [&](OpId op, OpId previous) {
    const bool may_not_run =
        context.options.guard_conditionals &&
        !context.conditions.runs_with(context.conditions.of(previous), context.conditions.of(op));
    if (may_not_run || draft.has_control(op, previous)) return;
    if (draft.crosses_frames(op, previous)) {
      ++crossing;
    } else if (draft.leads_to(op, previous)) {
      ++left_out;
    } else if (draft.add_control(op, previous)) {
      plan.edit.control.push_back({op, previous});
    }
  };
  OpId previous;
  std::int32_t previous_level = -1;
  for (const std::int32_t level : selected) {
    if (level <= assign_level) continue;
    if (level != previous_level + 1) previous = {};
    previous_level = level;
    bool any = false;
    for (const OpId op : context.levels.ops(level)) {
      if (!can_be_chained(context, variables, op)) continue;
      if (previous.valid()) chain(op, previous);
      previous = op;
      any = true;
    }
    if (!any) previous = {};
  }
  if (left_out > 0) {
    plan.warnings.push_back(
        {"loop",
         fmt::format(
             "{{serialization}}: {} control edges would make ops of a loop wait for its own "
             "result; they are omitted",
             left_out),
         {},
         left_out});
  }
  if (crossing > 0) {
    plan.warnings.push_back(
        {"loop",
         fmt::format("{{serialization}}: {} control edges would lead into or out of a loop, which "
                     "TensorFlow refuses; they are omitted",
                     crossing),
         {},
         crossing});
  }
  return {};
}

}  // namespace tideline::lms2
