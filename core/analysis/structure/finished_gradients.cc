// The essay is in phases.cc; this is its last part, the end of the backward pass.
#include "core/analysis/structure/finished_gradients.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/analysis/producers_first.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

class GradientEnds {
 public:
  GradientEnds(const PassFacts& known, const SeedReach& reach, const std::vector<bool>& forward)
      : known_(known), reach_(reach), forward_(forward), finished_(known.graph) {
    for (const std::string_view type : known.graph.types()) {
      is_unique_.push_back(type == "Unique");
      is_segment_sum_.push_back(type == "UnsortedSegmentSum");
      stacks_towers_.push_back(type == "ExpandDims");
    }
  }

  std::vector<bool> run() {
    OpWalk leads_on(known_.graph);
    for (const OpId op : known_.graph.ops()) {
      if (!reach_.after_seed[op.index()] || known_.kind(op) != OpKind::kGradient) continue;
      if (known_.flow.seeds.empty() || known_.flow.carries(op)) leads_on.add(op);
    }
    while (const auto op = leads_on.next()) {
      for_each_producer(known_.graph, known_.facts, known_.stacks, *op,
                        [&](OpId producer) { leads_on.add(producer); });
    }
    const auto finish = [&](OpId op) {
      if (reach_.after_seed[op.index()] && !leads_on.has(op)) finished_.add(op);
    };
    const auto spread = [&] {
      while (const auto op = finished_.next()) {
        for (const Use use : known_.consumers.data(*op)) finish(use.consumer);
      }
    };
    if (!known_.flow.seeds.empty()) {
      for (const OpId op : known_.graph.ops()) {
        const bool is_average =
            known_.flow.mixes_seeds[op.index()] && known_.graph.type(op) != "AddN";
        if (known_.flow.of_op[op.index()] == Flow::kNone || is_average) finish(op);
      }
    }
    for (const OpId op : known_.graph.ops()) {
      if (!reach_.is_update[op.index()] || known_.kind(op) != OpKind::kCall) continue;
      for (const Use use : known_.consumers.data(op)) finish(use.consumer);
    }
    spread();
    const std::vector<OpId> order = producers_first(known_.graph);
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
      if (ends_gradient(*op)) finish(*op);
    }
    spread();
    return finished_.take();
  }

 private:
  // Whether a carrying op, all of whose readers belong to the update, belongs to it as well.
  [[nodiscard]] bool ends_gradient(OpId op) const {
    if (!known_.flow.carries(op) || finished_.has(op)) return false;
    bool read = false;
    for (const Use use : known_.consumers.data(op)) {
      if (!finished_.has(use.consumer) && !reach_.is_update[use.consumer.index()]) return false;
      read = true;
    }
    const OpFacts& facts = known_.of(op);
    if (read && stacks_towers_[known_.graph.type_id(op)]) return true;
    // A plain copy; one that waits for others is the last step of a gradient.
    if (facts.kind == OpKind::kView) {
      return known_.graph.control_inputs(op).empty() && facts.linear.empty();
    }
    if (!read) return false;
    const auto inputs = known_.graph.inputs(op);
    if (is_segment_sum_[known_.graph.type_id(op)]) {  // sums duplicate rows
      return inputs.size() > 1 && is_unique_[known_.graph.type_id(inputs[1].op)];
    }
    const bool scales = facts.kind == OpKind::kElementwise && !facts.is_pick &&
                        inputs.size() == 2 && (!facts.bilinear.empty() || facts.linear.size() == 1);
    if (!scales) return false;
    bool by_other = false;
    for (const TensorId input : inputs) {
      if (known_.flow.carries(input.op)) continue;
      if (depends_on_forward(input.op)) return false;
      by_other = true;
    }
    return by_other;
  }

  // Whether an activation of the forward pass goes into `op`; a bounded search.
  [[nodiscard]] bool depends_on_forward(OpId op) const {
    constexpr std::size_t kMostOps = 64;  // learning rates are short computations
    std::vector<OpId> seen = {op};
    for (std::size_t i = 0; i < seen.size() && seen.size() < kMostOps; ++i) {
      const OpKind is = known_.kind(seen[i]);
      const bool is_stored = is == OpKind::kVariable || is == OpKind::kConstant ||
                             is == OpKind::kRead || is == OpKind::kView;
      if (forward_[seen[i].index()] && !is_stored) return true;
      for_each_producer(known_.graph, known_.facts, known_.stacks, seen[i], [&](OpId producer) {
        if (std::find(seen.begin(), seen.end(), producer) == seen.end()) seen.push_back(producer);
      });
    }
    return seen.size() >= kMostOps;
  }

  const PassFacts& known_;
  const SeedReach& reach_;
  const std::vector<bool>& forward_;
  OpWalk finished_;
  std::vector<bool> is_unique_;       // by type id
  std::vector<bool> is_segment_sum_;  // by type id
  std::vector<bool> stacks_towers_;   // by type id: ops between gradients and their average
};

}  // namespace

std::vector<bool> find_finished_gradients(const PassFacts& known, const SeedReach& reach,
                                          const std::vector<bool>& forward) {
  return GradientEnds(known, reach, forward).run();
}

}  // namespace tideline
