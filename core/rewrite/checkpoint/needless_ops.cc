// Behind a saver with shards stand ops that only make the names of their files (the name of a
// temporary folder, a ShardedFilename for each shard, a Pack of all) and Identities that wait for a
// shard. When one op saves all shards under the final prefix, nobody reads them any more.
//
// A candidate is every op without effects that makes a prefix, or lies between a shard and the
// merge. A candidate stays if an op that stays reads it, or waits for it without waiting for
// a shard thereby; and so do then the candidates that it reads itself. An op that waits for a
// candidate behind a shard keeps nothing alive: it will wait for the new op instead.
// Tested by unit/rewrite/checkpoint/shards_test.cc.
#include "core/rewrite/checkpoint/needless_ops.h"

#include <algorithm>

#include "core/graph/walks.h"

namespace tideline::checkpoint_ops {
namespace {

constexpr std::string_view kPlacedWith = "loc:@";

class Search {
 public:
  Search(const Graph& graph, const Consumers& consumers, const Collections& collections,
         const std::vector<Colocation>& colocations, const std::vector<const Save*>& saves)
      : graph_(graph), consumers_(consumers), saves_(saves), collected_(saves.size()) {
    for (const auto& [key, names] : collections.names) {
      for (const std::string& name : names) {
        if (const auto tensor = graph.find_tensor(name)) named_.insert(tensor->op);
      }
    }
    for (const Colocation& place : colocations) {
      placed_with_[place.with].push_back(place.op);
      places_[place.op].push_back(place.with);
    }
    for (const Save* save : saves) {
      merged_.insert(save->shards.begin(), save->shards.end());
      merged_.insert(save->merge);
    }
  }

  std::vector<Needless> run() {
    for (std::size_t i = 0; i < saves_.size(); ++i) collect(*saves_[i], collected_[i]);
    for (const OpId op : candidates_) {
      if (is_needed(op)) keep(op);
    }
    keep_what_is_read();
    std::vector<Needless> found;
    for (const std::set<OpId>& collected : collected_) {
      Needless& needless = found.emplace_back();
      for (const OpId op : collected) {
        needless.between.push_back(op);
        if (after_save_.count(op) != 0) needless.after_save.insert(op);
        if (kept_.count(op) == 0) needless.removed.push_back(op);
      }
    }
    return found;
  }

 private:
  [[nodiscard]] bool has_no_effect(OpId op) const {
    const OpSignature* signature = graph_.signature(op);
    return signature != nullptr && !signature->is_stateful &&
           !graph_.type(op).starts_with("Placeholder") && merged_.count(op) == 0;
  }

  // Adds to `found` the ops from which `from` can be reached without passing one with effects.
  void collect(std::vector<OpId> from, Edges edges, std::set<OpId>& found) const {
    while (!from.empty()) {
      const OpId op = from.back();
      from.pop_back();
      if (!has_no_effect(op) || !found.insert(op).second) continue;
      for (const TensorId input : graph_.inputs(op)) from.push_back(input.op);
      if (edges == Edges::kData) continue;
      for (const OpId input : graph_.control_inputs(op)) from.push_back(input);
    }
  }

  // An op that is only waited for, and is not behind a shard, is somebody else's.
  void collect(const Save& save, std::set<OpId>& found) {
    const OpId prefixes = graph_.inputs(save.merge)[0].op;
    const auto awaited = graph_.control_inputs(save.merge);
    std::vector<OpId> ends(awaited.begin(), awaited.end());
    ends.push_back(prefixes);
    std::set<OpId> before_merge;
    collect(ends, Edges::kDataAndControl, before_merge);
    const std::set<OpId> behind = behind_shards(save, before_merge);
    std::vector<OpId> makers(behind.begin(), behind.end());
    makers.push_back(prefixes);
    for (const OpId shard : save.shards) makers.push_back(graph_.inputs(shard)[0].op);
    collect(makers, Edges::kData, found);
    after_save_.insert(behind.begin(), behind.end());
    candidates_.insert(found.begin(), found.end());
  }

  [[nodiscard]] std::set<OpId> behind_shards(const Save& save, const std::set<OpId>& among) const {
    std::set<OpId> behind;
    std::vector<OpId> next = save.shards;
    while (!next.empty()) {
      const OpId op = next.back();
      next.pop_back();
      const auto visit = [&](OpId reader) {
        if (among.count(reader) != 0 && behind.insert(reader).second) next.push_back(reader);
      };
      for (const Use use : consumers_.data(op)) visit(use.consumer);
      for (const OpId waiter : consumers_.control(op)) visit(waiter);
    }
    return behind;
  }

  // Whether something other than a candidate keeps `op` alive.
  [[nodiscard]] bool is_needed(OpId op) const {
    if (named_.count(op) != 0) return true;
    for (const Use use : consumers_.data(op)) {
      const bool is_prefix = use.slot == 0 && merged_.count(use.consumer) != 0;
      if (!is_prefix && candidates_.count(use.consumer) == 0) return true;
    }
    if (after_save_.count(op) == 0) {
      for (const OpId waiter : consumers_.control(op)) {
        if (merged_.count(waiter) == 0 && candidates_.count(waiter) == 0) return true;
      }
    }
    const auto placed = placed_with_.find(op);
    return placed != placed_with_.end() &&
           std::any_of(placed->second.begin(), placed->second.end(), [&](OpId other) {
             return merged_.count(other) == 0 && candidates_.count(other) == 0;
           });
  }

  void keep(OpId op) {
    if (kept_.insert(op).second) pending_.push_back(op);
  }
  void keep_what_is_read() {
    while (!pending_.empty()) {
      const OpId op = pending_.back();
      pending_.pop_back();
      for (const TensorId input : graph_.inputs(op)) {
        if (candidates_.count(input.op) != 0) keep(input.op);
      }
      for (const OpId input : graph_.control_inputs(op)) {
        if (candidates_.count(input) != 0 && after_save_.count(input) == 0) keep(input);
      }
      const auto places = places_.find(op);
      if (places == places_.end()) continue;
      for (const OpId with : places->second) {
        if (candidates_.count(with) != 0) keep(with);
      }
    }
  }

  const Graph& graph_;
  const Consumers& consumers_;
  const std::vector<const Save*>& saves_;
  std::set<OpId> merged_;  // all shards and merges
  std::set<OpId> named_;
  std::map<OpId, std::vector<OpId>> placed_with_;  // by op: those that go where it goes
  std::map<OpId, std::vector<OpId>> places_;       // the inverse
  std::vector<std::set<OpId>> collected_;          // by save
  std::set<OpId> candidates_;
  std::set<OpId> after_save_;
  std::set<OpId> kept_;
  std::vector<OpId> pending_;
};

}  // namespace

Result<std::vector<Colocation>> find_colocations(const Graph& graph) {
  std::vector<Colocation> found;
  for (const OpId op : graph.ops()) {
    TIDELINE_TRY(const auto value, graph.attribute(op, "_class"));
    if (!value) continue;
    for (const std::string& text : value->strings) {
      if (!text.starts_with(kPlacedWith)) continue;
      const OpId with = graph.find(std::string_view(text).substr(kPlacedWith.size()));
      if (with.valid()) found.push_back({op, with});
    }
  }
  return found;
}

std::vector<Needless> find_needless(const Graph& graph, const Consumers& consumers,
                                    const Collections& collections,
                                    const std::vector<Colocation>& colocations,
                                    const std::vector<const Save*>& saves) {
  return Search(graph, consumers, collections, colocations, saves).run();
}

}  // namespace tideline::checkpoint_ops
