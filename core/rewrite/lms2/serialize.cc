#include "core/rewrite/lms2/serialize.h"

#include <algorithm>
#include <set>

namespace tideline::lms2 {
namespace {

bool has(std::string_view text, std::string_view word) {
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

}  // namespace

Result<std::vector<ControlEdge>> serialize_levels(const Context& context,
                                                  const std::vector<OpId>& variables,
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
  const std::int32_t assign_level = highest_assign_level(context, variables);
  log.push_back(fmt::format("  The maximum level of Assign ops: {}", assign_level));

  std::vector<ControlEdge> edges;
  OpId previous;
  std::int32_t previous_level = -1;
  for (const std::int32_t level : selected) {
    if (level <= assign_level) continue;
    if (level != previous_level + 1) previous = {};
    previous_level = level;
    bool any = false;
    for (const OpId op : context.levels.ops(level)) {
      const std::string_view name = context.graph.name(op);
      if (!context.is_eligible(op) || has(name, "/cond/") || has(name, "loss") ||
          std::binary_search(variables.begin(), variables.end(), op)) {
        continue;
      }
      const auto awaited = context.graph.control_inputs(op);
      const bool harmless =
          !context.options.guard_conditionals || !previous.valid() ||
          context.conditions.runs_with(context.conditions.of(previous), context.conditions.of(op));
      if (previous.valid() && harmless &&
          std::find(awaited.begin(), awaited.end(), previous) == awaited.end()) {
        edges.push_back({op, previous});
      }
      previous = op;
      any = true;
    }
    if (!any) previous = {};
  }
  return edges;
}

}  // namespace tideline::lms2
