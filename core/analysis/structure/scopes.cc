// Problem: scopes are given by names only, and a large graph has megabytes of names. Idea:
// consecutive ops mostly share most of their scopes, so the scopes of the previous op are kept; a
// child is looked up, by its parent and its last part, only where a name differs from the previous
// one. Every character is examined a constant number of times, whatever the depth. Source: own.
// Tested by unit/analysis/structure/scopes_test.cc.
#include "core/analysis/structure/scopes.h"

#include <functional>
#include <utility>

namespace tideline {
namespace {

// Scopes by parent and last part: open addressing over scope numbers, hashes beside them.
class ScopeIndex {
 public:
  explicit ScopeIndex(const std::vector<Scope>& scopes) : scopes_(scopes), slots_(1024) {}

  static std::uint64_t hash(std::uint32_t parent, std::string_view name) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
    return (std::hash<std::string_view>()(name) ^ (parent * kOdd)) * kOdd;
  }
  /// The scope, or 0 when there is none yet.
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, std::uint32_t parent,
                                   std::string_view name) const {
    for (std::size_t at = start(hash);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.scope == 0) return 0;
      if (slot.hash == static_cast<std::uint32_t>(hash) && scopes_[slot.scope].parent == parent &&
          scopes_[slot.scope].name == name) {
        return slot.scope;
      }
    }
  }
  void add(std::uint64_t hash, std::uint32_t scope) {
    if (++used_ * 2 > slots_.size()) grow();
    put(hash, {static_cast<std::uint32_t>(hash), scope});
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t scope = 0;  // 0: free; the root is never looked up
  };
  [[nodiscard]] std::size_t start(std::uint64_t hash) const {
    return (hash >> 32U) & (slots_.size() - 1);
  }
  void put(std::uint64_t hash, Slot slot) {
    std::size_t at = start(hash);
    while (slots_[at].scope != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.size() * 4, {});
    for (const Slot& slot : old) {
      if (slot.scope == 0) continue;
      const Scope& scope = scopes_[slot.scope];
      put(hash(scope.parent, scope.name), slot);
    }
  }

  const std::vector<Scope>& scopes_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

class Builder {
 public:
  explicit Builder(const Graph& graph) : graph_(graph) {
    tree_.scopes.emplace_back();
    tree_.scope_of.resize(graph.op_count());
  }

  ScopeTree build() {
    for (const OpId op : graph_.ops()) place(op);
    list_children();
    list_ops();
    return std::move(tree_);
  }

 private:
  void place(OpId op) {
    const std::string_view name = graph_.name(op);
    // Descends through the scopes of the previous op as long as they match.
    std::size_t depth = 0;
    std::size_t start = 0;  // of the part that comes next
    while (depth < path_.size()) {
      const std::string_view part = tree_.scopes[path_[depth]].name;
      if (name.size() <= start + part.size() || name[start + part.size()] != '/' ||
          name.substr(start, part.size()) != part) {
        break;
      }
      start += part.size() + 1;
      ++depth;
    }
    path_.resize(depth);
    for (std::size_t slash = name.find('/', start); slash != std::string_view::npos;
         slash = name.find('/', start)) {
      path_.push_back(child(path_.empty() ? 0 : path_.back(), name, start, slash));
      start = slash + 1;
    }
    const std::uint32_t scope = path_.empty() ? 0 : path_.back();
    tree_.scope_of[op.index()] = scope;
    ++tree_.scopes[scope].own_ops;
  }

  std::uint32_t child(std::uint32_t parent, std::string_view name, std::size_t start,
                      std::size_t end) {
    const std::string_view part = name.substr(start, end - start);
    const std::uint64_t hash = ScopeIndex::hash(parent, part);
    if (const std::uint32_t known = index_.find(hash, parent, part); known != 0) return known;
    const auto added = static_cast<std::uint32_t>(tree_.scopes.size());
    Scope scope;
    scope.name = part;
    scope.path = name.substr(0, end);
    scope.parent = parent;
    scope.depth = tree_.scopes[parent].depth + 1;
    tree_.scopes.push_back(scope);
    ++tree_.scopes[parent].child_count;
    index_.add(hash, added);
    return added;
  }

  void list_children() {
    std::uint32_t next = 0;
    for (Scope& scope : tree_.scopes) {
      scope.first_child = next;
      next += scope.child_count;
    }
    tree_.children.resize(next);
    std::vector<std::uint32_t> filled(tree_.scopes.size());
    for (std::uint32_t i = 1; i < tree_.scopes.size(); ++i) {
      const Scope& parent = tree_.scopes[tree_.scopes[i].parent];
      tree_.children[parent.first_child + filled[tree_.scopes[i].parent]++] = i;
    }
  }

  // Children come after their parent, so counts go up in one sweep and places down in another.
  void list_ops() {
    auto& scopes = tree_.scopes;
    for (Scope& scope : scopes) scope.op_count = scope.own_ops;
    for (std::size_t i = scopes.size(); i-- > 1;) {
      scopes[scopes[i].parent].op_count += scopes[i].op_count;
    }
    std::vector<std::uint32_t> next(scopes.size());  // where the next child of a scope begins
    next[0] = scopes[0].own_ops;
    for (std::size_t i = 1; i < scopes.size(); ++i) {
      scopes[i].first_op = next[scopes[i].parent];
      next[scopes[i].parent] += scopes[i].op_count;
      next[i] = scopes[i].first_op + scopes[i].own_ops;
    }
    tree_.ops.resize(graph_.op_count());
    std::vector<std::uint32_t> filled(scopes.size());
    for (const OpId op : graph_.ops()) {
      const std::uint32_t scope = tree_.scope_of[op.index()];
      tree_.ops[scopes[scope].first_op + filled[scope]++] = op;
    }
  }

  const Graph& graph_;
  ScopeTree tree_;
  std::vector<std::uint32_t> path_;  // scopes around the op before
  ScopeIndex index_{tree_.scopes};
};

}  // namespace

ScopeTree find_scopes(const Graph& graph) {
  return Builder(graph).build();
}

}  // namespace tideline
