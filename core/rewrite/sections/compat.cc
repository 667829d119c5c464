// Problem: reproduce what the reference feeds and caches, which is more than is needed and
// sometimes too little, so that its users can compare.
// Idea: as the reference does. Members of a section are the ops under its scope and the variables
// that they read. What a train op needs is found depth first: a tensor that the forward pass caches
// or that another section makes is a leaf. An op outside of all sections whose needs come from one
// section is merged into that section, for good. The leaves that an op's own section made are
// dropped on the way up, in place in what is remembered of an op, so that the order of the walk
// matters; an op outside of all sections has the number of the forward cache, -1, and so drops
// those leaves.
//   AddN(a, b) with a and b of section 2, read by section 1: merged, and cached as one tensor
// Cost: see the header. The walk has a stack of its own, because graphs are deep.
// Limits: none of the reference's errors is corrected: control edges are followed across borders,
// sections without variables need what nobody feeds.
// Source: partialflow, manager and sections (rules only). Tested by
// golden/sections_reference_test.py with the sets that the reference computed.
#include "core/rewrite/sections/compat.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/scope_name.h"
#include "core/graph/nearest_names.h"
#include "core/graph/op_types.h"
#include "core/rewrite/plan/named_outputs.h"

namespace tideline::sections {
namespace {

constexpr int kOfNoSection = -1;  // of no section; also what the forward run caches

// A tensor to feed, and the section that makes it.
using Leaf = std::pair<TensorId, int>;

struct Needs {
  std::set<Leaf> leaves;
  std::vector<int> owners;  // without repetitions, in the order in which they were met

  void add(const Leaf& leaf) {
    leaves.insert(leaf);
    add_owner(leaf.second);
  }
  void add_owner(int owner) {
    if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(owner);
  }
};

class ReferenceSections {
 public:
  ReferenceSections(const Graph& graph, const std::vector<std::string>& scopes)
      : graph_(graph), scopes_(scopes), by_name_(graph.op_count(), kOfNoSection) {
    for (const OpId op : graph.ops()) by_name_[op.index()] = section_in_name(graph.name(op));
    find_members();
    incoming_.resize(scopes.size());
    for (const OpId op : graph.ops()) {
      if (!member_[op.index()]) continue;
      const int own = *member_[op.index()];
      for (const TensorId input : graph.inputs(op)) {
        if (member_[input.op.index()] != own) {
          incoming_[static_cast<std::size_t>(own)].insert(input);
          given_.insert(input);
        }
      }
    }
  }

  SectionsReport run(const std::vector<OpId>& train_ops, const std::vector<OpId>& fetches) {
    std::vector<std::set<TensorId>> feeds(incoming_);
    std::vector<std::set<TensorId>> cache(scopes_.size());
    for (std::size_t k = scopes_.size(); k-- > 0;) {
      for (const auto& [tensor, owner] : find(train_ops[k], static_cast<int>(k), given_)) {
        feeds[k].insert(tensor);
        if (owner != kOfNoSection) cache[static_cast<std::size_t>(owner)].insert(tensor);
      }
    }
    SectionsReport report;
    report.forward_cache = sorted(given_);
    for (std::size_t k = 0; k < scopes_.size(); ++k) {
      report.reference.push_back(
          {static_cast<int>(k), train_ops[k], sorted(feeds[k]), sorted(cache[k])});
    }
    for (const OpId op : fetches) report.reference_fetches.push_back(place(op));
    return report;
  }

 private:
  // Ops of no section are fetched with the last run of those that they need something of, and then
  // that section computes its part itself.
  ReferenceFetch place(OpId op) {
    ReferenceFetch fetch{op, section(op), {}, {}};
    std::set<Leaf> leaves = find(op, kOfNoSection, {});
    if (fetch.section == kOfNoSection && !leaves.empty()) {
      fetch.section =
          std::min_element(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
            return a.second < b.second;
          })->second;
      leaves = find(op, fetch.section, {});
    }
    if (fetch.section == kOfNoSection) return fetch;
    std::set<TensorId> feeds;
    std::vector<std::set<TensorId>> cache(scopes_.size());
    const auto& incoming = incoming_[static_cast<std::size_t>(fetch.section)];
    for (const auto& [tensor, owner] : leaves) {
      if (incoming.count(tensor) == 0) feeds.insert(tensor);
      cache[static_cast<std::size_t>(owner)].insert(tensor);
    }
    fetch.feeds = sorted(feeds);
    for (std::size_t k = 0; k < cache.size(); ++k) {
      for (const TensorId tensor : sorted(cache[k])) {
        fetch.cache.emplace_back(static_cast<int>(k), tensor);
      }
    }
    return fetch;
  }

  struct Frame {
    OpId op;
    std::size_t next = 0;  // input, then control input
    Needs needs;
  };

  [[nodiscard]] std::vector<TensorId> sorted(const std::set<TensorId>& tensors) const {
    std::vector<TensorId> list(tensors.begin(), tensors.end());
    std::sort(list.begin(), list.end(), [&](TensorId a, TensorId b) {
      return graph_.tensor_name(a) < graph_.tensor_name(b);
    });
    return list;
  }

  // The section whose scope is the last in the name.
  [[nodiscard]] int section_in_name(std::string_view name) const {
    const std::string path = fmt::format("/{}", name);
    std::size_t last = 0;
    int found = kOfNoSection;
    for (std::size_t k = 0; k < scopes_.size(); ++k) {
      const std::size_t at = path.rfind(fmt::format("/{}/", scopes_[k]));
      if (at == std::string::npos || (found != kOfNoSection && at <= last)) continue;
      last = at;
      found = static_cast<int>(k);
    }
    return found;
  }

  // Ops under a scope; and variables, with all that is named after them, of the first section that
  // reads them.
  void find_members() {
    member_.resize(graph_.op_count());
    for (const OpId op : graph_.ops()) {
      for (std::size_t k = 0; k < scopes_.size(); ++k) {
        if (is_below(graph_.name(op), scopes_[k])) {
          member_[op.index()] = static_cast<int>(k);
        }
      }
    }
    std::unordered_map<std::uint32_t, int> owner;  // by variable
    for (const OpId op : graph_.ops()) {
      if (!member_[op.index()]) continue;
      for (const TensorId input : graph_.inputs(op)) {
        const OpId variable = family_of(input.op);
        if (!variable.valid() || member_[input.op.index()]) continue;
        const auto entry = owner.emplace(variable.value, *member_[op.index()]).first;
        entry->second = std::min(entry->second, *member_[op.index()]);
      }
    }
    const std::vector<std::optional<int>> scoped = member_;
    for (const OpId op : graph_.ops()) {
      if (scoped[op.index()]) continue;
      const OpId variable = family_of(op);
      const auto entry = variable.valid() ? owner.find(variable.value) : owner.end();
      if (entry != owner.end()) member_[op.index()] = entry->second;
    }
  }
  // The variable with the longest name that begins the op's name.
  [[nodiscard]] OpId family_of(OpId op) const {
    std::string_view name = graph_.name(op);
    while (true) {
      const OpId found = graph_.find(name);
      if (found.valid() && is_variable_type(graph_.type(found))) return found;
      const std::size_t slash = name.rfind('/');
      if (slash == std::string_view::npos) return {};
      name = name.substr(0, slash);
    }
  }

  [[nodiscard]] int section(OpId op) const {
    return member_[op.index()].value_or(by_name_[op.index()]);
  }

  std::set<Leaf> find(OpId root, int ignored, const std::set<TensorId>& given) {
    known_.clear();
    stack_.clear();
    enter(root);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      const auto inputs = graph_.inputs(frame.op);
      const auto controls = graph_.control_inputs(frame.op);
      if (frame.next == inputs.size() + controls.size()) {
        known_[frame.op.value] = std::move(frame.needs);
        stack_.pop_back();
        continue;
      }
      const bool is_done = frame.next < inputs.size() ? read(inputs[frame.next], ignored, given)
                                                      : wait(controls[frame.next - inputs.size()]);
      // Entering another op moved the frame.
      if (is_done) ++stack_.back().next;
    }
    return known_[root.value].leaves;
  }

  // The needs of an op are empty until they are known, which ends loops.
  void enter(OpId op) {
    known_[op.value];
    stack_.push_back({op, 0, {}});
  }

  bool read(TensorId input, int ignored, const std::set<TensorId>& given) {
    const OpId producer = input.op;
    if (is_variable_type(graph_.type(producer))) return true;
    if (given.count(input) > 0) {
      stack_.back().needs.add({input, kOfNoSection});
      return true;
    }
    const int made_by = section(producer);
    if (made_by != kOfNoSection && made_by != section(stack_.back().op) && made_by != ignored) {
      stack_.back().needs.add({input, made_by});
      return true;
    }
    if (known_.count(producer.value) == 0) {
      enter(producer);
      return false;
    }
    Frame& frame = stack_.back();
    Needs& needed = without_own(frame.op, producer);
    if (made_by == kOfNoSection && needed.owners.size() == 1 &&
        needed.owners.front() != kOfNoSection && reads_only(producer, needed.owners.front())) {
      member_[producer.index()] = needed.owners.front();
      frame.needs.add({input, needed.owners.front()});
    } else {
      take(frame, needed);
    }
    return true;
  }
  bool wait(OpId input) {
    if (known_.count(input.value) == 0) {
      enter(input);
      return false;
    }
    Frame& frame = stack_.back();
    take(frame, without_own(frame.op, input));
    return true;
  }

  // The needs of `producer`; the section of `op` is taken out of the remembered list of owners.
  Needs& without_own(OpId op, OpId producer) {
    Needs& needed = known_[producer.value];
    const int own = section(op);
    needed.owners.erase(std::remove(needed.owners.begin(), needed.owners.end(), own),
                        needed.owners.end());
    return needed;
  }
  void take(Frame& frame, const Needs& needed) {
    const int own = section(frame.op);
    for (const Leaf& leaf : needed.leaves) {
      if (leaf.second != own) frame.needs.leaves.insert(leaf);
    }
    for (const int owner : needed.owners) frame.needs.add_owner(owner);
  }
  // Only the name of a tensor tells its section.
  [[nodiscard]] bool reads_only(OpId op, int wanted) const {
    const auto inputs = graph_.inputs(op);
    const auto controls = graph_.control_inputs(op);
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](TensorId input) { return by_name_[input.op.index()] == wanted; }) &&
           std::all_of(controls.begin(), controls.end(),
                       [&](OpId input) { return section(input) == wanted; });
  }

  const Graph& graph_;
  const std::vector<std::string>& scopes_;
  std::vector<int> by_name_;
  std::vector<std::optional<int>> member_;  // by op; merged ops are added
  std::vector<std::set<TensorId>> incoming_;
  std::set<TensorId> given_;
  std::unordered_map<std::uint32_t, Needs> known_;
  std::vector<Frame> stack_;
};

}  // namespace

Result<SectionsReport> reference_sets(const Graph& graph, const std::vector<std::string>& scopes,
                                      const std::vector<std::string>& train_ops,
                                      const std::vector<std::string>& fetches) {
  std::vector<OpId> ops, fetched;
  for (const std::string& name : train_ops) {
    TIDELINE_TRY(const TensorId named, find_named(graph, "{train-ops}", name));
    ops.push_back(named.op);
  }
  for (const std::string& name : fetches) {
    TIDELINE_TRY(const TensorId named, find_named(graph, "{fetches}", name));
    fetched.push_back(named.op);
  }
  for (const std::string& scope : scopes) {
    bool found = false;
    for (const OpId op : graph.ops()) found = found || is_below(graph.name(op), scope);
    if (!found)
      return fail(Code::kNotFound, "{{scopes}}: no op is in the scope '{}'{}", scope,
                  nearest_scopes(graph, scope));
  }
  return ReferenceSections(graph, scopes).run(ops, fetched);
}

}  // namespace tideline::sections
