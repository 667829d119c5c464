// Names may have thousands of parts: nothing is recursive, and paths are views of names. Tested by
// unit/engine/shown_changes_test.cc.
#include "app/engine/changed_scopes.h"

namespace tideline::app {

using render::ChangeKind;

void count(ChangeKind kind, render::ChangeCounts& counts) {
  ++(kind == ChangeKind::kAdded     ? counts.added
     : kind == ChangeKind::kRemoved ? counts.removed
                                    : counts.changed);
}

std::size_t ChangedScopes::add(std::string_view op, ChangeKind kind) {
  std::size_t at = 0;
  count(kind, nodes_[at].counts);
  for (std::size_t slash = op.find('/'); slash != std::string_view::npos;
       slash = op.find('/', slash + 1)) {
    at = child(at, op.substr(0, slash));
    count(kind, nodes_[at].counts);
  }
  return at;
}

std::size_t ChangedScopes::child(std::size_t parent, std::string_view path) {
  const std::string_view last = path.substr(path.rfind('/') + 1);
  const auto [entry, is_new] = by_name_.try_emplace({parent, last}, nodes_.size());
  if (is_new) {
    nodes_.push_back({path, parent, nodes_[parent].depth + 1, {}, {}});
    nodes_[parent].children.push_back(entry->second);
  }
  return entry->second;
}

std::vector<render::GraphChanges::Scope> ChangedScopes::rows(
    std::vector<std::uint32_t>& row_of) const {
  std::vector<render::GraphChanges::Scope> rows;
  row_of.assign(nodes_.size(), 0);
  // Children stand after their parents, so they are put in front of those that are waiting.
  std::vector<std::size_t> waiting = {0};
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    const Node& node = nodes_[at];
    row_of[at] = static_cast<std::uint32_t>(rows.size());
    rows.push_back({node.path, node.depth, 1, node.counts});
    waiting.insert(waiting.end(), node.children.rbegin(), node.children.rend());
  }
  for (std::size_t i = nodes_.size(); i-- > 1;) {  // parents have smaller numbers
    rows[row_of[nodes_[i].parent]].rows += rows[row_of[i]].rows;
  }
  return rows;
}

}  // namespace tideline::app
