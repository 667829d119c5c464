#include "tests/support/random_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/analysis/levels.h"
#include "core/graph/consumers.h"

namespace tideline::test {
namespace {

// Every edge leads from a lower rank to a higher one, so there is no cycle.
class PlanMaker {
 public:
  PlanMaker(const Graph& graph, bool keeps_facts, std::mt19937& random)
      : graph_(graph), keeps_facts_(keeps_facts), random_(random), consumers_(graph) {
    const LevelMap levels = complete_levels(graph);
    for (const OpId op : graph.ops()) rank_.push_back(levels.level(op));
    removed_.resize(graph.op_count());
  }

  GraphPlan run() {
    if (chance(0.5)) remove_ops();
    const int additions = below(16);
    for (int i = 0; i < additions; ++i) add_op(i);
    for (const OpId op : graph_.ops()) {
      if (!removed_[op.index()]) change(op);
    }
    const int edges = below(12);
    for (int i = 0; i < edges; ++i) add_edge();
    // Names of the text form are short; what a plan was made of must not be needed any more.
    return GraphPlan(plan_);
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  bool chance(double share) { return below(1000) < share * 1000; }

  OpId any_original() {
    for (;;) {
      const OpId op{static_cast<std::uint32_t>(below(static_cast<int>(graph_.op_count())))};
      if (!removed_[op.index()]) return op;
    }
  }

  // From the end: an op can go when all that reads it goes.
  void remove_ops() {
    std::vector<OpId> ops;
    for (const OpId op : graph_.ops()) ops.push_back(op);
    std::stable_sort(ops.begin(), ops.end(),
                     [&](OpId a, OpId b) { return rank_[a.index()] > rank_[b.index()]; });
    for (const OpId op : ops) {
      if (plan_.removed.size() + 2 > graph_.op_count() || !chance(0.4)) continue;
      bool is_free = true;
      for (const Use use : consumers_.data(op)) is_free &= removed_[use.consumer.index()];
      for (const OpId waiter : consumers_.control(op)) is_free &= removed_[waiter.index()];
      if (!is_free) continue;
      removed_[op.index()] = true;
      plan_.removed.push_back(op);
    }
  }

  // What an op that reads `tensor` may read instead.
  TensorId replacement(TensorId tensor, double below_rank) {
    std::vector<TensorId> choices = {tensor, tensor};
    for (const auto& [original, copy] : carriers_) {
      if (original == tensor && rank_[copy.op.index()] < below_rank) choices.push_back(copy);
    }
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

  void add_op(int number) {
    const std::string name = fmt::format("added{}", number);
    const char* device = chance(0.3) ? "/cpu:0" : "/device:GPU:0";
    std::vector<OpId> waits;
    if (chance(0.3)) waits.push_back(any_original());
    const int kind = below(keeps_facts_ ? 3 : 4);
    const OpId source = any_original();
    if (kind == 0) {
      add_copy(name, device, source, waits);
    } else if (kind == 1 && graph_.attribute(source, "T").value()) {
      add_identity(name, device, source, waits);
    } else if (kind == 3) {
      NewOp op{name, "Relu", device, {{source, 0}}, waits, {}};
      op.attributes = {{"T", AttrValue::of_type(DataType::kFloat)},
                       {"_output_shapes", AttrValue::of_shapes({Shape::of({3, 1 + below(200)})})}};
      finish(plan_.add_op(graph_, op), {}, op.inputs, waits);
    } else {
      NewOp op{name, "NoOp", device, {}, waits, {}};
      finish(plan_.add_op(graph_, op), {}, {}, waits);
    }
  }

  void add_copy(const std::string& name, const char* device, OpId source,
                const std::vector<OpId>& waits) {
    std::vector<TensorId> inputs;
    for (const TensorId input : graph_.inputs(source)) {
      inputs.push_back(removed_[input.op.index()] ? input : replacement(input, 1e9));
    }
    const std::string_view own = keeps_facts_ && chance(0.8) ? graph_.device(source) : device;
    const OpId copy = plan_.add_copy(graph_, {source, name, own, inputs, waits});
    finish(copy, TensorId{source, 0}, inputs, waits);
    if (chance(0.3)) plan_.set_attribute(graph_, copy, "_class", AttrValue::of_int(below(9)));
    if (!keeps_facts_ && chance(0.3)) plan_.remove_attribute(copy, "_output_shapes");
  }

  void add_identity(const std::string& name, const char* device, OpId source,
                    const std::vector<OpId>& waits) {
    NewOp op{name, "Identity", device, {replacement({source, 0}, 1e9)}, waits, {}};
    op.attributes = {{"T", **graph_.attribute(source, "T")}};
    const auto shapes = graph_.attribute(source, "_output_shapes");
    if (*shapes && chance(0.7)) op.attributes.emplace_back("_output_shapes", **shapes);
    finish(plan_.add_op(graph_, op), TensorId{source, 0}, op.inputs, waits);
  }

  void finish(OpId op, std::optional<TensorId> carries, const std::vector<TensorId>& inputs,
              const std::vector<OpId>& waits) {
    constexpr double kStep = 0.01;
    double rank = -1;
    for (const TensorId input : inputs) rank = std::max(rank, rank_[input.op.index()]);
    for (const OpId after : waits) rank = std::max(rank, rank_[after.index()]);
    rank_.push_back(rank + kStep);
    if (carries) carriers_.emplace_back(*carries, TensorId{op, 0});
  }

  void change(OpId op) {
    const auto inputs = graph_.inputs(op);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      if (!chance(0.3)) continue;
      TensorId to = replacement(inputs[slot], rank_[op.index()]);
      if (!keeps_facts_ && chance(0.2)) {
        const OpId other = any_original();
        if (rank_[other.index()] < rank_[op.index()]) to = {other, 0};
      }
      if (to != inputs[slot]) plan_.rerouted.push_back({op, slot, inputs[slot], to});
    }
    std::set<OpId> listed(graph_.control_inputs(op).begin(), graph_.control_inputs(op).end());
    for (const OpId after : listed) {
      if (chance(0.3)) plan_.removed_control.push_back({op, after});
    }
    const bool on_device = graph_.device(op) != "/cpu:0";
    if (chance(0.1) && (on_device || !keeps_facts_)) {
      plan_.set_device(op, chance(0.5) ? "/cpu:0" : "/device:GPU:0");
    }
    if (chance(0.1)) plan_.set_attribute(graph_, op, "_class", AttrValue::of_int(below(9)));
    if (!keeps_facts_ && chance(0.05)) {
      plan_.set_attribute(graph_, op, "_output_shapes",
                          AttrValue::of_shapes({Shape::of({2, 1 + below(300)})}));
    }
  }

  void add_edge() {
    const auto any = [&] {
      const auto added = static_cast<int>(plan_.added.size());
      if (added > 0 && chance(0.5)) {
        return OpId{graph_.op_count() + static_cast<std::uint32_t>(below(added))};
      }
      return any_original();
    };
    const OpId op = any();
    const OpId after = any();
    if (rank_[after.index()] < rank_[op.index()]) plan_.control.push_back({op, after});
  }

  const Graph& graph_;
  bool keeps_facts_;
  std::mt19937& random_;
  Consumers consumers_;
  GraphPlan plan_;
  std::vector<double> rank_;  // by op, added ones behind those of the graph
  std::vector<bool> removed_;
  std::vector<std::pair<TensorId, TensorId>> carriers_;  // original tensor, one with its value
};

}  // namespace

GraphPlan random_plan(const Graph& graph, bool keeps_facts, std::mt19937& random) {
  return PlanMaker(graph, keeps_facts, random).run();
}

}  // namespace tideline::test
