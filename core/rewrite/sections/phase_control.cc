// Tested by unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/phase_control.h"

#include <algorithm>
#include <utility>

namespace tideline::sections {
namespace {

class PhaseOrder {
 public:
  PhaseOrder(const StepFacts& facts, const VariableUses& uses, PhaseCut& phase)
      : facts_(facts), graph_(facts.graph()), uses_(uses), phase_(phase) {}

  Result<std::vector<ControlEdge>> run() {
    add_links();
    collect_edges();
    TIDELINE_RETURN_IF_ERROR(order_accesses());
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const ControlEdge& a, const ControlEdge& b) { return a.op < b.op; });
    return std::move(edges_);
  }

 private:
  [[nodiscard]] bool runs(OpId op) const { return phase_.runs[op.index()]; }
  [[nodiscard]] bool is_link(OpId op) const {
    return facts_.kind(op) == OpKind::kControl && graph_.inputs(op).empty();
  }

  // NoOps between ops of the run; lower levels first, so that those that they wait for are known.
  void add_links() {
    std::vector<OpId> todo(phase_.ops);
    std::vector<bool> seen(phase_.runs);
    std::vector<OpId> links;
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for (const OpId input : graph_.control_inputs(op)) {
        if (seen[input.index()] || !is_link(input)) continue;
        seen[input.index()] = true;
        links.push_back(input);
        todo.push_back(input);
      }
    }
    const LevelMap& levels = facts_.levels();
    std::sort(links.begin(), links.end(), [&](OpId a, OpId b) {
      return std::pair(levels.level(a), a) < std::pair(levels.level(b), b);
    });
    for (const OpId link : links) {
      const auto inputs = graph_.control_inputs(link);
      if (std::none_of(inputs.begin(), inputs.end(), [&](OpId op) { return runs(op); })) continue;
      phase_.runs[link.index()] = true;
      phase_.ops.push_back(link);
    }
    std::sort(phase_.ops.begin(), phase_.ops.end());
  }

  void collect_edges() {
    for (const OpId op : phase_.ops) {
      for (const OpId input : graph_.control_inputs(op)) {
        if (runs(input) || facts_.is_placeholder(input)) edges_.push_back({op, input});
      }
    }
    first_edge_.assign(graph_.op_count() + 1, 0);
    for (const ControlEdge& edge : edges_) ++first_edge_[edge.op.index() + 1];
    for (std::size_t i = 1; i < first_edge_.size(); ++i) first_edge_[i] += first_edge_[i - 1];
  }

  // What `op` waits for in this run.
  [[nodiscard]] std::vector<bool> needed_by(OpId op) const {
    std::vector<bool> needed(graph_.op_count());
    std::vector<OpId> todo = {op};
    const auto visit = [&](OpId input) {
      if (needed[input.index()] || !runs(input)) return;
      needed[input.index()] = true;
      todo.push_back(input);
    };
    while (!todo.empty()) {
      const OpId next = todo.back();
      todo.pop_back();
      for (const TensorId input : graph_.inputs(next)) visit(input.op);
      for (auto i = first_edge_[next.index()]; i < first_edge_[next.index() + 1]; ++i) {
        visit(edges_[i].after);
      }
    }
    return needed;
  }

  Status order_accesses() {
    std::vector<ControlEdge> added;
    const auto uses = uses_.written();
    for (std::size_t first = 0; first < uses.size();) {
      std::size_t end = first + 1;
      while (end < uses.size() && uses[end].variable == uses[first].variable) ++end;
      for (std::size_t i = first; i < end; ++i) {
        if (!uses[i].writes || !runs(uses[i].op)) continue;
        const bool is_alone = std::count_if(uses.begin() + static_cast<std::ptrdiff_t>(first),
                                            uses.begin() + static_cast<std::ptrdiff_t>(end),
                                            [&](const auto& use) { return runs(use.op); }) == 1;
        if (is_alone) continue;
        const std::vector<bool> before = needed_by(uses[i].op);
        for (std::size_t j = first; j < end; ++j) {
          if (i == j || !runs(uses[j].op)) continue;
          TIDELINE_RETURN_IF_ERROR(order(uses[i].op, uses[j].op, before, added));
        }
      }
      first = end;
    }
    edges_.insert(edges_.end(), added.begin(), added.end());
    return {};
  }

  // Levels order any two ops of which one waits for the other, so the edges make no cycle.
  Status order(OpId write, OpId other, const std::vector<bool>& before,
               std::vector<ControlEdge>& added) {
    if (before[other.index()]) return {};
    const auto place = [&](OpId op) { return std::pair(facts_.levels().level(op), op); };
    OpId first = other;
    OpId second = write;
    if (place(write) < place(other)) std::swap(first, second);
    // What the original does not order either, such as two towers or branches, stays as it is.
    if (!uses_.comes_after(second, first) || needed_by(second)[first.index()]) return {};
    if (is_inside(first) || facts_.loop_of(second) != StepFacts::kNoFrame) {
      const OpId end = end_of_branch(first);
      if (!end.valid() || place(second) < place(end) ||
          facts_.loop_of(second) != StepFacts::kNoFrame) {
        return fail(Code::kUnsupported,
                    "op '{}' ({}) and op '{}' ({}) access one variable in the same run, and one is "
                    "in a branch or loop, so that their order cannot be kept; expected a border "
                    "that leaves the ops between them in one section",
                    graph_.name(first), graph_.type(first), graph_.name(second),
                    graph_.type(second));
      }
      first = end;
    }
    added.push_back({second, first});
    return {};
  }

  [[nodiscard]] bool is_inside(OpId op) const {
    return facts_.is_conditional(op) || facts_.loop_of(op) != StepFacts::kNoFrame;
  }
  // The first op of the run, outside of branches and loops, that has to wait for `op`.
  [[nodiscard]] OpId end_of_branch(OpId op) const {
    std::vector<OpId> seen = {op};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!is_inside(seen[i])) return seen[i];
      for (const Use use : facts_.consumers().data(seen[i])) {
        const OpId next = use.consumer;
        if (runs(next) && !phase_.is_fed(facts_, next, use.slot) &&
            std::find(seen.begin(), seen.end(), next) == seen.end()) {
          seen.push_back(next);
        }
      }
    }
    return {};
  }

  const StepFacts& facts_;
  const Graph& graph_;
  const VariableUses& uses_;
  PhaseCut& phase_;
  std::vector<ControlEdge> edges_;
  std::vector<std::uint32_t> first_edge_;  // by op
};

}  // namespace

Result<std::vector<ControlEdge>> order_phase(const StepFacts& facts, const VariableUses& uses,
                                             PhaseCut& phase) {
  return PhaseOrder(facts, uses, phase).run();
}

}  // namespace tideline::sections
