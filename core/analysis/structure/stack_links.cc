#include "core/analysis/structure/stack_links.h"

#include <unordered_map>

#include "core/graph/walks.h"

namespace tideline {

OpId behind_views(const Graph& graph, const OpFactsTable& facts, OpId op) {
  constexpr std::uint32_t kMostSteps = 64;  // handles pass one Enter for each loop around them
  return source_of_value(graph, {op, 0}, kMostSteps,
                         [&](OpId at) {
                           const OpKind kind = facts.of(graph, at).kind;
                           return kind == OpKind::kView || kind == OpKind::kEnter ||
                                  kind == OpKind::kSwitch || kind == OpKind::kRead;
                         })
      .op;
}

StackLinks::StackLinks(const Graph& graph, const OpFactsTable& facts) {
  std::vector<bool> is_stack_type;  // by type id
  bool any_pop = false;
  for (std::uint32_t type = 0; type < graph.types().size(); ++type) {
    const OpFacts& known = facts.of(type);
    is_stack_type.push_back(known.kind == OpKind::kContainer && (known.value || known.popped));
    any_pop = any_pop || known.popped.has_value();
  }
  if (!any_pop) return;
  stack_of_.assign(graph.op_count(), kNone);
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;  // of handles; only looked up
  for (const OpId op : graph.ops()) {
    if (!is_stack_type[graph.type_id(op)] || graph.inputs(op).empty()) continue;
    const OpId handle = behind_views(graph, facts, graph.inputs(op)[0].op);
    const auto [entry, added] =
        numbers.emplace(handle.value, static_cast<std::uint32_t>(pushes_.size()));
    if (added) {
      pushes_.emplace_back();
      pops_.emplace_back();
    }
    stack_of_[op.index()] = entry->second;
    auto& list = (facts.of(graph, op).popped ? pops_ : pushes_)[entry->second];
    if (list.size() < kMostLinks) list.push_back(op);
  }
}

}  // namespace tideline
