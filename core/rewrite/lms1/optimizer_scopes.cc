// Tested by unit/rewrite/lms1_options_test.cc.
#include "core/rewrite/lms1/optimizer_scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/base/text.h"

namespace tideline::lms1 {
namespace {

constexpr std::size_t kMostListed = 5;

struct Found {
  std::int64_t backward = 0;
  std::string_view path;
};

Phases phases_of(const Graph& graph) {
  const OpFactsTable facts = OpFactsTable::for_graph(graph);
  const Consumers consumers(graph);
  const StackLinks stacks(graph, facts);
  return find_phases(graph, consumers, facts, stacks, find_gradient_flow(graph, facts, stacks));
}

}  // namespace

std::vector<std::string> find_optimizer_scopes(const Graph& graph) {
  const Phases phases = phases_of(graph);
  const ScopeTree tree = find_scopes(graph);
  std::vector<Found> found;
  std::vector<std::uint32_t> todo = {0};
  while (!todo.empty()) {
    const Scope& scope = tree.scopes[todo.back()];
    todo.pop_back();
    std::array<std::int64_t, kPhaseCount> count = {};
    for (const OpId op : tree.all_ops(scope)) ++count[static_cast<std::size_t>(phases.of(op))];
    const auto of = [&](Phase phase) { return count[static_cast<std::size_t>(phase)]; };
    if (of(Phase::kBackward) + of(Phase::kUpdate) == 0) continue;
    if (of(Phase::kForward) == 0 && !scope.path.empty()) {
      found.push_back({of(Phase::kBackward), scope.path});
      continue;
    }
    for (const std::uint32_t child : tree.child_scopes(scope)) todo.push_back(child);
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.backward != b.backward ? a.backward > b.backward : a.path < b.path;
  });
  std::vector<std::string> paths;
  for (const Found& entry : found) paths.emplace_back(entry.path);
  return paths;
}

std::string optimizer_scopes_text(const Graph& graph) {
  const std::vector<std::string> scopes = find_optimizer_scopes(graph);
  if (scopes.empty()) return "";
  std::string list;
  for (std::size_t i = 0; i < std::min(kMostListed, scopes.size()); ++i) {
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", printable(scopes[i]));
  }
  if (scopes.size() > kMostListed) list += fmt::format(" and {} more", scopes.size() - kMostListed);
  return fmt::format(" The backward phase is in {}: {}.",
                     scopes.size() == 1 ? "the scope" : "the scopes", list);
}

}  // namespace tideline::lms1
