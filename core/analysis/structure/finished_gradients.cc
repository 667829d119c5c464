// The essay is in phases.cc; this is its last part, the end of the backward pass.
#include "core/analysis/structure/finished_gradients.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tideline {
namespace {

class Search {
 public:
  Search(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
         const StackLinks& stacks, const GradientFlow& flow, const PassMarks& marks)
      : graph_(graph),
        consumers_(consumers),
        facts_(facts),
        stacks_(stacks),
        flow_(flow),
        marks_(marks),
        finished_(graph.op_count()) {
    for (const std::string_view type : graph.types()) {
      is_unique_.push_back(type == "Unique");
      is_segment_sum_.push_back(type == "UnsortedSegmentSum");
      stacks_towers_.push_back(type == "ExpandDims");
    }
  }

  std::vector<bool> run() {
    std::vector<bool> leads_on(graph_.op_count());
    std::vector<OpId> todo;
    for (const OpId op : graph_.ops()) {
      if (!marks_.after_seed[op.index()] || kind(op) != OpKind::kGradient) continue;
      if (flow_.seeds.empty() || flow_.carries(op)) {
        leads_on[op.index()] = true;
        todo.push_back(op);
      }
    }
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for_each_producer(graph_, facts_, stacks_, op, [&](OpId producer) {
        if (leads_on[producer.index()]) return;
        leads_on[producer.index()] = true;
        todo.push_back(producer);
      });
    }
    const auto finish = [&](OpId op) {
      if (!marks_.after_seed[op.index()] || leads_on[op.index()] || finished_[op.index()]) return;
      finished_[op.index()] = true;
      todo.push_back(op);
    };
    const auto spread = [&] {
      while (!todo.empty()) {
        const OpId op = todo.back();
        todo.pop_back();
        for (const Use use : consumers_.data(op)) finish(use.consumer);
      }
    };
    if (!flow_.seeds.empty()) {
      for (const OpId op : graph_.ops()) {
        const bool is_average = flow_.mixes_seeds[op.index()] && graph_.type(op) != "AddN";
        if (flow_.of_op[op.index()] == Flow::kNone || is_average) finish(op);
      }
    }
    spread();
    const std::vector<OpId> order = producers_first(graph_);
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
      if (ends_gradient(*op)) finish(*op);
    }
    spread();
    return std::move(finished_);
  }

 private:
  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }

  // Whether a carrying op, all of whose readers belong to the update, belongs to it as well.
  [[nodiscard]] bool ends_gradient(OpId op) const {
    if (!flow_.carries(op) || finished_[op.index()]) return false;
    bool read = false;
    for (const Use use : consumers_.data(op)) {
      if (!finished_[use.consumer.index()] && !marks_.is_update[use.consumer.index()]) return false;
      read = true;
    }
    const OpFacts& known = facts(op);
    if (read && stacks_towers_[graph_.type_id(op)]) return true;
    // A plain copy; one that waits for others is the last step of a gradient.
    if (known.kind == OpKind::kView) {
      return graph_.control_inputs(op).empty() && known.linear.empty();
    }
    if (!read) return false;
    const auto inputs = graph_.inputs(op);
    if (is_segment_sum_[graph_.type_id(op)]) {  // sums duplicate rows
      return inputs.size() > 1 && is_unique_[graph_.type_id(inputs[1].op)];
    }
    const bool scales = known.kind == OpKind::kElementwise && !known.is_pick &&
                        inputs.size() == 2 && (!known.bilinear.empty() || known.linear.size() == 1);
    if (!scales) return false;
    bool by_other = false;
    for (const TensorId input : inputs) {
      if (flow_.carries(input.op)) continue;
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
      const OpKind is = kind(seen[i]);
      const bool is_stored = is == OpKind::kVariable || is == OpKind::kConstant ||
                             is == OpKind::kRead || is == OpKind::kView;
      if (marks_.forward[seen[i].index()] && !is_stored) return true;
      for_each_producer(graph_, facts_, stacks_, seen[i], [&](OpId producer) {
        if (std::find(seen.begin(), seen.end(), producer) == seen.end()) seen.push_back(producer);
      });
    }
    return seen.size() >= kMostOps;
  }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  const GradientFlow& flow_;
  const PassMarks& marks_;
  std::vector<bool> finished_;
  std::vector<bool> is_unique_;       // by type id
  std::vector<bool> is_segment_sum_;  // by type id
  std::vector<bool> stacks_towers_;   // by type id: ops between gradients and their average
};

}  // namespace

std::vector<bool> find_finished_gradients(const Graph& graph, const Consumers& consumers,
                                          const OpFactsTable& facts, const StackLinks& stacks,
                                          const GradientFlow& flow, const PassMarks& marks) {
  return Search(graph, consumers, facts, stacks, flow, marks).run();
}

}  // namespace tideline
