// Tested by unit/analysis/structure/variable_roles_test.cc.
#include "core/analysis/structure/body_roles.h"

#include <algorithm>

#include "core/analysis/structure/graph_facts.h"

namespace tideline {
namespace {

// What a graph knows itself counts, unless it sees no gradient go into the variable.
bool tells_more(VariableRole body, VariableRole own) {
  const auto rank = [](VariableRole role) {
    switch (role) {
      case VariableRole::kTrainable: return 3;
      case VariableRole::kSlot: return 2;
      case VariableRole::kShared: return 1;
      default: return 0;
    }
  };
  return rank(body) > rank(own);
}

}  // namespace

const std::vector<VariableRole>& BodyRoles::of(const GraphFacts& outer, const std::string& name) {
  constexpr int kMostDepth = 24;
  const auto [entry, is_new] = known_.try_emplace(name);
  std::vector<VariableRole>& roles = entry->second;
  const Function* function = outer.functions()->find(name);
  if (!is_new || function == nullptr || depth_ >= kMostDepth) return roles;
  ++depth_;
  const GraphFacts body(function->body, outer);
  const std::vector<VariableUse> uses = find_(body, *this);
  --depth_;
  // Without an update of its own the body takes all of itself for a forward pass.
  const bool has_update = std::any_of(uses.begin(), uses.end(), [](const VariableUse& use) {
    return use.role == VariableRole::kTrainable;
  });
  if (!has_update) return roles;
  std::vector<VariableRole> by_argument(function->arguments.size(), VariableRole::kOther);
  for (const VariableUse& use : uses) {
    if (use.variable.index() < by_argument.size()) by_argument[use.variable.index()] = use.role;
  }
  roles = std::move(by_argument);
  return roles;
}

CallsOfGraph::CallsOfGraph(const GraphFacts& known, BodyRoles& bodies) : known_(known) {
  if (known.functions() == nullptr) return;
  const Graph& graph = known.graph();
  for (const OpId op : graph.ops()) {
    if (known.ops().of(graph, op).kind != OpKind::kCall) continue;
    Call call = described(op);
    const auto is_any = [](const std::vector<bool>& all) {
      return std::find(all.begin(), all.end(), true) != all.end();
    };
    const bool writes = is_any(call.written);
    if (!writes && !is_any(call.read)) continue;
    calls_.emplace(op.value, std::move(call));
    if (!writes) continue;
    for (const CalledBody& called : called_bodies(graph, op, *known.functions())) {
      const std::vector<VariableRole>& roles = bodies.of(known, called.name);
      for (std::size_t i = 0; i < roles.size(); ++i) {
        const std::size_t slot = called.first_input + i;
        if (slot >= graph.inputs(op).size() || roles[i] == VariableRole::kOther) continue;
        const OpId variable = behind_views(graph, known.ops(), graph.inputs(op)[slot].op);
        const auto [entry, is_new] = from_bodies_.try_emplace(variable.value, roles[i]);
        if (!is_new && tells_more(roles[i], entry->second)) entry->second = roles[i];
      }
    }
  }
}

CallsOfGraph::Call CallsOfGraph::described(OpId op) const {
  const Graph& graph = known_.graph();
  Call call;
  for (const HandleUse use : known_.calls().uses(graph, op)) {
    call.read.push_back(use.is_read);
    call.written.push_back(use.is_written);
  }
  const Phases& phases = known_.passes().phases();
  if (!std::binary_search(phases.updates.begin(), phases.updates.end(), op)) return call;
  std::vector<bool> from;
  for (const TensorId input : graph.inputs(op)) from.push_back(phases.after_seed[input.op.index()]);
  call.updated = known_.calls().written_from(graph, op, from);
  return call;
}

bool CallsOfGraph::reads(Use use) const {
  const auto call = calls_.find(use.consumer.value);
  return call != calls_.end() && call->second.read[use.slot];
}

bool CallsOfGraph::writes(Use use) const {
  const auto call = calls_.find(use.consumer.value);
  return call != calls_.end() && call->second.written[use.slot];
}

VariableRole CallsOfGraph::role_of(OpId variable, VariableRole role) const {
  const auto body = from_bodies_.find(variable.value);
  return body != from_bodies_.end() && tells_more(body->second, role) ? body->second : role;
}

}  // namespace tideline
