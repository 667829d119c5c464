// Tested by unit/rewrite/sections_test.cc and unit/rewrite/sections_refusals_test.cc.
#include "core/rewrite/sections/phase_control.h"

#include <algorithm>
#include <utility>

#include "core/graph/walks.h"

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
    OpWalk walk(graph_, phase_.runs);
    std::vector<OpId> links;
    while (const auto op = walk.next()) {
      for (const OpId input : graph_.control_inputs(*op)) {
        if (is_link(input) && walk.add(input)) links.push_back(input);
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
  }

  // The waits between ops of the run.
  [[nodiscard]] Waits waits() const {
    Waits waits;
    waits.has_loops = facts_.loop_count() > 0;
    for (const OpId op : facts_.order()) {
      if (!runs(op)) continue;
      waits.ops.push_back(op);
      waits.first.push_back(static_cast<std::uint32_t>(waits.inputs.size()));
      for (const TensorId input : graph_.inputs(op)) {
        if (runs(input.op)) waits.inputs.push_back(input.op);
      }
      for (const OpId input : graph_.control_inputs(op)) {
        if (runs(input)) waits.inputs.push_back(input);
      }
    }
    waits.first.push_back(static_cast<std::uint32_t>(waits.inputs.size()));
    return waits;
  }

  Status order_accesses() {
    std::vector<ControlEdge> added;
    const PairOrder here = uses_.order_in(waits());
    const PairOrder& original = uses_.original();
    TIDELINE_RETURN_IF_ERROR(uses_.for_each_pair([&](const AccessPair& pair) -> Status {
      if (!runs(pair.write) || !runs(pair.other) || here.write_waits[pair.number]) return {};
      // What the original does not order either, such as two towers or branches, stays as it is.
      if (place(pair.write) < place(pair.other)) {
        if (!original.other_waits[pair.number] || here.other_waits[pair.number]) return {};
        return order(pair.write, pair.other, added);
      }
      if (!original.write_waits[pair.number]) return {};
      return order(pair.other, pair.write, added);
    }));
    edges_.insert(edges_.end(), added.begin(), added.end());
    return {};
  }

  [[nodiscard]] std::pair<std::int32_t, OpId> place(OpId op) const {
    return {facts_.levels().level(op), op};
  }

  // Levels order any two ops of which one waits for the other, so the edges make no cycle.
  Status order(OpId first, OpId second, std::vector<ControlEdge>& added) {
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
    if (!is_inside(op)) return op;
    OpWalk walk(graph_);
    walk.add(op);
    while (const auto next = walk.oldest()) {
      if (!is_inside(*next)) return *next;
      for (const Use use : facts_.consumers().data(*next)) {
        if (runs(use.consumer) && !phase_.is_fed(facts_, use.consumer, use.slot)) {
          walk.add(use.consumer);
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
};

}  // namespace

Result<std::vector<ControlEdge>> order_phase(const StepFacts& facts, const VariableUses& uses,
                                             PhaseCut& phase) {
  return PhaseOrder(facts, uses, phase).run();
}

}  // namespace tideline::sections
