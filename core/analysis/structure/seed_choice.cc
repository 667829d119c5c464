// The choice of seeds of the essay in gradient_flow.cc.
#include "core/analysis/structure/seed_choice.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tideline {
namespace {

class SeedChoice {
 public:
  SeedChoice(const Graph& graph, const OpFactsTable& facts, SeedLabels& labels)
      : graph_(graph), facts_(facts), labels_(labels) {}

  // Greedy cover: the source shared by most gradients, then by most of the remaining ones, and so
  // on.
  std::vector<OpId> run() {
    std::vector<OpId> seeds;
    const std::vector<Id> labels = gradient_labels();
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> gradients_of;
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
      for (const std::uint32_t member : labels_.members(labels[i]))
        gradients_of[member].push_back(i);
    }
    std::set<std::pair<std::size_t, std::uint32_t>, std::greater<>> best;
    std::unordered_map<std::uint32_t, std::size_t> count;
    for (const auto& [member, gradients] : gradients_of) {
      best.emplace(gradients.size(), member);
      count[member] = gradients.size();
    }
    std::vector<bool> covered(labels.size());
    std::set<std::uint32_t> chosen;
    while (!best.empty() && best.begin()->first > 0) {
      const std::uint32_t member = best.begin()->second;
      seeds.push_back(SeedLabels::source_op(member));
      chosen.insert(member);
      for (const std::uint32_t i : gradients_of[member]) {
        if (covered[i]) continue;
        covered[i] = true;
        for (const std::uint32_t other : labels_.members(labels[i])) {
          best.erase({count[other], other});
          best.emplace(--count[other], other);
        }
      }
    }
    add_seeds_of_scatters(seeds, chosen);
    return seeds;
  }

 private:
  using Id = SeedLabels::Id;

  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }

  // The labels of tensors that certainly are gradients.
  std::vector<Id> gradient_labels() {
    std::vector<bool> seen(graph_.op_count());
    std::vector<Id> labels;
    for (const OpId op : graph_.ops()) {
      const OpKind is = kind(op);
      if (is != OpKind::kGradient && is != OpKind::kUpdate) continue;
      facts_.for_each_slot(graph_, op, facts(op).gradients, [&](std::uint32_t slot) {
        const OpId from = graph_.inputs(op)[slot].op;
        const Id id = labels_.of(from);
        if (seen[from.index()] || id == LabelSets::kEverything || id == LabelSets::kNothing) return;
        seen[from.index()] = true;
        labels.push_back(id);
      });
    }
    if (labels.empty()) labels = labels_behind_sums();
    return labels;
  }

  // Without gradient ops, and with something added to every gradient (weight decay) or cut off:
  // what goes into the optimizers' gradients, a few ops back.
  std::vector<Id> labels_behind_sums() {
    constexpr std::size_t kMostOps = 16;
    std::vector<Id> labels;
    std::vector<OpId> seen;
    for (const OpId op : graph_.ops()) {
      if (kind(op) != OpKind::kUpdate) continue;
      seen.clear();
      facts_.for_each_slot(graph_, op, facts(op).gradients,
                           [&](std::uint32_t slot) { seen.push_back(graph_.inputs(op)[slot].op); });
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const Id id = labels_.of(seen[i]);
        if (id != LabelSets::kNothing && id != LabelSets::kEverything) labels.push_back(id);
        if (id != LabelSets::kNothing || kind(seen[i]) != OpKind::kElementwise) continue;
        for (const TensorId input : graph_.inputs(seen[i])) {
          if (seen.size() < kMostOps) seen.push_back(input.op);
        }
      }
    }
    // What was added is a multiple of a constant; the seed is mostly generated.
    const auto generated = [&](Id id) {
      return (labels_.members(id).back() & SeedLabels::kGenerated) != 0;
    };
    if (std::any_of(labels.begin(), labels.end(), generated)) {
      std::erase_if(labels, [&](Id id) { return !generated(id); });
    }
    return labels;
  }

  // Steps that are written as ScatterSub or AssignSub: only a generated source counts there,
  // because moving averages are multiples of a constant too.
  void add_seeds_of_scatters(std::vector<OpId>& seeds, std::set<std::uint32_t>& chosen) {
    for (const OpId op : graph_.ops()) {
      if (kind(op) != OpKind::kAssign || !facts(op).value) continue;
      const std::string_view type = graph_.type(op);
      if (type.ends_with("Update") || type == "Assign" || type == "AssignVariableOp") continue;
      const Id id = labels_.common_of(op, {*facts(op).value}, false);
      if (id == LabelSets::kEverything || id == LabelSets::kNothing) continue;
      const auto& members = labels_.members(id);
      const bool known = std::any_of(members.begin(), members.end(),
                                     [&](std::uint32_t member) { return chosen.contains(member); });
      if (known || (members.back() & SeedLabels::kGenerated) == 0) continue;
      chosen.insert(members.back());
      seeds.push_back(SeedLabels::source_op(members.back()));
    }
  }

  const Graph& graph_;
  const OpFactsTable& facts_;
  SeedLabels& labels_;
};

}  // namespace

std::vector<OpId> choose_seeds(const Graph& graph, const OpFactsTable& facts, SeedLabels& labels) {
  return SeedChoice(graph, facts, labels).run();
}

}  // namespace tideline
