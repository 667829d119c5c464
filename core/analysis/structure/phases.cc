// Problem: which ops belong to the forward pass, the backward pass and the update? Names would tell
// in graphs written by a single library; here only edges and op types are used.
// Idea: the backward pass is what depends on a seed (gradient_flow.h). The forward pass is what
// leads to an end that does not depend on one: the loss, metrics, moving averages. Other ops that
// lead into the backward pass exist only for it (shapes, pushes onto stacks, loop counters). The
// update begins where gradients are no longer processed by gradient ops: after anything that is not
// linear in the seed (norms, moments), after sums over different seeds (towers), after a product
// with a factor that no forward op computed (a learning rate), after plain copies.
//   w x y            forward: MatMul(x, w) -> Sub(., y) -> Square -> Mean
//   s = Fill(1)      backward: s, Mul(s, .), MatMul(x, .) and the Shape ops that these read
//   lr, Apply(w,.)   update
// Cost: a few passes over all edges.
// Limits: an op whose outputs nobody reads gets the phase of its neighbours in the file; a multiple
// of a gradient that is itself a gradient (Mul by a variable right before the optimizer) counts as
// update. Source: own; checked against the names under the gradient scopes of the corpus. Tested by
// unit/analysis/structure/phases_test.cc and golden/structure_test.cc.
#include "core/analysis/structure/phases.h"

#include <algorithm>

#include "core/analysis/structure/finished_gradients.h"

namespace tideline {
namespace {

class Search {
 public:
  Search(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
         const StackLinks& stacks, const GradientFlow& flow)
      : graph_(graph),
        consumers_(consumers),
        facts_(facts),
        stacks_(stacks),
        flow_(flow),
        order_(producers_first(graph)),
        after_seed_(graph.op_count()),
        is_update_(graph.op_count()),
        forward_(graph.op_count()),
        is_seed_(graph.op_count()) {
    phases_.of_op.resize(graph.op_count());
    for (const OpId seed : flow.seeds) is_seed_[seed.index()] = true;
    for (const std::string_view type : graph.types()) {
      is_unique_.push_back(type == "Unique");
    }
  }

  Phases run() {
    mark_after_seeds();
    mark_forward();
    finished_ = find_finished_gradients(graph_, consumers_, facts_, stacks_, flow_,
                                        {after_seed_, is_update_, forward_});
    assign();
    assign_helpers();
    assign_by_control();
    assign_after_update();
    assign_leftovers();
    for (const OpId op : graph_.ops()) {
      ++phases_.count.at(static_cast<std::size_t>(phase(op)));
      if (is_update_[op.index()]) phases_.updates.push_back(op);
    }
    return std::move(phases_);
  }

 private:
  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }
  [[nodiscard]] Phase phase(OpId op) const { return phases_.of_op[op.index()]; }
  void set(OpId op, Phase phase) { phases_.of_op[op.index()] = phase; }
  [[nodiscard]] bool writes(OpId op) const {
    return kind(op) == OpKind::kUpdate || kind(op) == OpKind::kAssign;
  }
  [[nodiscard]] bool is_loop_op(OpId op) const {
    const OpKind is = kind(op);
    return is == OpKind::kEnter || is == OpKind::kExit || is == OpKind::kSwitch ||
           is == OpKind::kMerge || is == OpKind::kNextIteration || is == OpKind::kLoopCond;
  }
  [[nodiscard]] bool is_variable_read(OpId op) const {
    const auto inputs = graph_.inputs(op);
    return kind(op) == OpKind::kRead || (kind(op) == OpKind::kView && !inputs.empty() &&
                                         kind(inputs[0].op) == OpKind::kVariable);
  }
  [[nodiscard]] bool reads_only_shape(OpId op, std::uint32_t slot) const {
    bool only = false;
    facts_.for_each_slot(graph_, op, facts(op).metadata_inputs,
                         [&](std::uint32_t metadata) { only = only || metadata == slot; });
    return only;
  }
  [[nodiscard]] bool has_slot(OpId op, const std::optional<std::uint8_t>& argument,
                              std::uint32_t slot) const {
    bool found = false;
    if (argument) {
      facts_.for_each_slot(graph_, op, {*argument},
                           [&](std::uint32_t other) { found = found || other == slot; });
    }
    return found;
  }

  // All ops that depend on a seed, including through variables read after they were written. Each
  // stack is handled once: its first push leads to all of its pops.
  void mark_after_seeds() {
    std::vector<OpId> todo;
    std::vector<bool> stack_done(stacks_.count());
    const auto reach = [&](OpId op) {
      if (after_seed_[op.index()]) return;
      after_seed_[op.index()] = true;
      todo.push_back(op);
    };
    for (const OpId op : graph_.ops()) {
      const OpFacts& known = facts(op);
      if (flow_.carries(op) && !flow_.is_inner[op.index()]) reach(op);
      // Without a seed, gradient ops of optimizers' graphs begin the backward pass.
      if (flow_.seeds.empty() && known.kind == OpKind::kGradient && known.bilinear.empty())
        reach(op);
    }
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      if (writes(op)) {
        is_update_[op.index()] = true;
        reach_reads_after(op, reach);
      }
      for (const Use use : consumers_.data(op)) reach(use.consumer);
      const std::uint32_t stack = stacks_.stack_of(op);
      if (stack == StackLinks::kNone || facts(op).popped || stack_done[stack]) continue;
      stack_done[stack] = true;
      for (const OpId pop : stacks_.pops(stack)) reach(pop);
    }
    for (const OpId op : graph_.ops()) {
      if (kind(op) == OpKind::kUpdate) is_update_[op.index()] = true;
      if (is_update_[op.index()]) after_seed_[op.index()] = false;
    }
  }

  template <typename Reach>
  void reach_reads_after(OpId write, const Reach& reach) const {
    if (graph_.inputs(write).empty()) return;
    const OpId variable = behind_views(graph_, facts_, graph_.inputs(write)[0].op);
    for (const OpId read : consumers_.control(write)) {
      if (kind(read) != OpKind::kRead && kind(read) != OpKind::kView) continue;
      if (!graph_.inputs(read).empty() && behind_views(graph_, facts_, read) == variable)
        reach(read);
    }
  }

  // Ends of the forward pass, and all that leads to them.
  void mark_forward() {
    std::vector<OpId> todo;
    const auto reach = [&](OpId op) {
      if (forward_[op.index()] || after_seed_[op.index()] || flow_.is_inner[op.index()]) return;
      forward_[op.index()] = true;
      todo.push_back(op);
    };
    const std::vector<bool> on_data = depends_on_data();
    for (const OpId op : graph_.ops()) {
      if (after_seed_[op.index()] || is_update_[op.index()]) continue;
      if (kind(op) == OpKind::kAssign) {
        // Moving averages and counters of data; initial values depend on no data.
        const auto inputs = graph_.inputs(op);
        if (std::any_of(inputs.begin(), inputs.end(),
                        [&](TensorId input) { return on_data[input.op.index()]; })) {
          reach(op);
        }
      } else if (is_forward_end(op)) {
        reach(op);
      }
    }
    if (todo.empty()) {
      // The graph was cut to the update: what gradient ops kept is forward.
      for (const OpId op : graph_.ops()) {
        const OpFacts& known = facts(op);
        if (known.kind != OpKind::kGradient || !after_seed_[op.index()]) continue;
        for (const auto* kept : {&known.kept_inputs, &known.kept_outputs, &known.parameters}) {
          facts_.for_each_slot(graph_, op, *kept, [&](std::uint32_t slot) {
            const OpId input = graph_.inputs(op)[slot].op;
            if (!is_loop_op(input) && stacks_.stack_of(input) == StackLinks::kNone) reach(input);
          });
        }
      }
    }
    std::vector<bool> stack_done(stacks_.count());
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for (const TensorId input : graph_.inputs(op)) reach(input.op);
      const std::uint32_t stack = stacks_.stack_of(op);
      if (stack == StackLinks::kNone || !facts(op).popped || stack_done[stack]) continue;
      stack_done[stack] = true;
      for (const OpId push : stacks_.pushes(stack)) reach(push);
    }
  }

  // Whether `op` is an end: only summaries and checks read its content.
  [[nodiscard]] bool is_forward_end(OpId op) const {
    const OpFacts& known = facts(op);
    if (flow_.is_constant[op.index()] || is_loop_op(op)) return false;
    switch (known.kind) {
      case OpKind::kAssign:
      case OpKind::kSave:
      case OpKind::kControl:
      case OpKind::kVariable:
      case OpKind::kSummary:
      case OpKind::kCheck:
      case OpKind::kConstant:
      case OpKind::kHost:
      case OpKind::kContainer:
      case OpKind::kQueue: return false;
      default: break;
    }
    if (!known.metadata_inputs.empty() && known.metadata_inputs.size() >= facts_arguments(op)) {
      return false;
    }
    for (const Use use : consumers_.data(op)) {
      const OpKind reader = kind(use.consumer);
      // kControl: a result of a function, which its caller looks at.
      const bool looks_on = reader == OpKind::kSummary || reader == OpKind::kCheck ||
                            reader == OpKind::kControl || reader == OpKind::kHost ||
                            is_seed_[use.consumer.index()] ||
                            reads_only_shape(use.consumer, use.slot);
      if (!looks_on) return false;
    }
    const bool is_source = known.kind == OpKind::kPlaceholder || is_variable_read(op);
    const bool orders = !consumers_.control(op).empty() &&
                        (known.kind == OpKind::kView || known.kind == OpKind::kRandom);
    return !(consumers_.data(op).empty() && (is_source || orders));
  }
  [[nodiscard]] std::size_t facts_arguments(OpId op) const {
    const OpSignature* signature = graph_.signature(op);
    return signature == nullptr ? 0 : signature->inputs.size();
  }

  [[nodiscard]] std::vector<bool> depends_on_data() const {
    std::vector<bool> depends(graph_.op_count());
    std::vector<bool> is_handle(graph_.op_count());
    for (const OpId op : graph_.ops()) {
      // A handle that is fed (an argument of a function) is a variable, no data.
      for (const std::uint8_t argument : facts(op).resource_inputs) {
        if (argument < graph_.inputs(op).size()) {
          is_handle[graph_.inputs(op)[argument].op.index()] = true;
        }
      }
    }
    std::vector<OpId> todo;
    for (const OpId op : graph_.ops()) {
      const OpKind is = kind(op);
      if ((is == OpKind::kPlaceholder && !is_handle[op.index()]) || is == OpKind::kInput) {
        depends[op.index()] = true;
        todo.push_back(op);
      }
    }
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for (const Use use : consumers_.data(op)) {
        if (depends[use.consumer.index()] || kind(use.consumer) == OpKind::kSave) continue;
        depends[use.consumer.index()] = true;
        todo.push_back(use.consumer);
      }
    }
    return depends;
  }

  void assign() {
    for (const OpId op : graph_.ops()) {
      if (is_update_[op.index()] || finished_[op.index()]) {
        set(op, Phase::kUpdate);
      } else if (after_seed_[op.index()] || flow_.is_inner[op.index()]) {
        set(op, Phase::kBackward);
      } else if (forward_[op.index()]) {
        set(op, Phase::kForward);
      }
    }
  }

  // Ops over data edges towards `from`, these included.
  template <typename From>
  [[nodiscard]] std::vector<bool> leading_to(const From& from) const {
    std::vector<bool> leads(graph_.op_count());
    std::vector<OpId> todo;
    for (const OpId op : graph_.ops()) {
      if (!from(op)) continue;
      leads[op.index()] = true;
      todo.push_back(op);
    }
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for_each_producer(graph_, facts_, stacks_, op, [&](OpId producer) {
        if (leads[producer.index()]) return;
        leads[producer.index()] = true;
        todo.push_back(producer);
      });
    }
    return leads;
  }

  // What exists only for ops of a later phase: shapes, counters, pushes, learning rates, slots.
  void assign_helpers() {
    const auto into_backward =
        leading_to([&](OpId op) { return after_seed_[op.index()] || flow_.is_inner[op.index()]; });
    const auto into_update = leading_to([&](OpId op) { return is_update_[op.index()]; });
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phase(*op) != Phase::kOther || is_update_[op->index()]) continue;
      if (!into_backward[op->index()] && !into_update[op->index()]) continue;
      bool any = false;
      bool only_update = true;
      bool are_rows = false;
      bool only_shapes = true;
      for (const Use use : consumers_.data(*op)) {
        only_shapes = only_shapes && reads_only_shape(use.consumer, use.slot);
        if (phase(use.consumer) == Phase::kOther) continue;
        any = true;
        only_update = only_update && phase(use.consumer) == Phase::kUpdate;
        // Row numbers that go with a gradient of rows.
        are_rows =
            are_rows || is_unique_[graph_.type_id(use.consumer)] ||
            (writes(use.consumer) && has_slot(use.consumer, facts(use.consumer).indices, use.slot));
      }
      if (const std::uint32_t stack = stacks_.stack_of(*op);
          stack != StackLinks::kNone && !facts(*op).popped) {
        only_shapes = false;
        for (const OpId pop : stacks_.pops(stack)) {
          any = true;
          only_update = only_update && phase(pop) == Phase::kUpdate;
          if (!only_update) break;
        }
      }
      are_rows = are_rows && !flow_.is_constant[op->index()] && !is_unique_[graph_.type_id(*op)];
      if (kind(*op) == OpKind::kExit && only_shapes && !graph_.inputs(*op).empty() &&
          forward_[graph_.inputs(*op)[0].op.index()]) {
        set(*op, Phase::kForward);  // leaves a forward loop; only its shape is asked for
      } else if ((any && only_update && !are_rows) || !into_backward[op->index()]) {
        set(*op, are_rows ? Phase::kBackward : Phase::kUpdate);
      } else {
        set(*op, Phase::kBackward);
      }
    }
  }

  [[nodiscard]] static Phase earlier(Phase a, Phase b) {
    if (a == Phase::kOther) return b;
    return b == Phase::kOther ? a : std::min(a, b);
  }

  // Ops that only order others: pivots of branches by what waits for them, NoOps by what they wait
  // for.
  void assign_by_control() {
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phase(*op) != Phase::kOther) continue;
      const OpKind is = kind(*op);
      if (!is_loop_op(*op) && is != OpKind::kView && is != OpKind::kConstant) continue;
      Phase found = Phase::kOther;
      for (const Use use : consumers_.data(*op)) found = earlier(found, phase(use.consumer));
      if (consumers_.data(*op).empty()) {
        for (const OpId waiter : consumers_.control(*op)) found = earlier(found, phase(waiter));
      } else if (is == OpKind::kConstant) {
        continue;
      }
      set(*op, found);
    }
    for (const OpId op : order_) {
      if (kind(op) != OpKind::kControl) continue;
      Phase latest = Phase::kOther;
      for (const TensorId input : graph_.inputs(op)) latest = std::max(latest, phase(input.op));
      for (const OpId input : graph_.control_inputs(op)) latest = std::max(latest, phase(input));
      set(op, latest);
    }
  }

  // What waits for the update and writes: steps, powers of beta.
  void assign_after_update() {
    for (const OpId op : order_) {
      const OpKind is = kind(op);
      if (phase(op) != Phase::kOther || is == OpKind::kSave || is == OpKind::kSummary ||
          is == OpKind::kCheck || is == OpKind::kHost) {
        continue;
      }
      const auto waits = graph_.control_inputs(op);
      const auto reads = graph_.inputs(op);
      const bool waits_for_update = std::any_of(
          waits.begin(), waits.end(), [&](OpId input) { return phase(input) == Phase::kUpdate; });
      const bool writes_update =
          is == OpKind::kAssign && std::any_of(reads.begin(), reads.end(), [&](TensorId input) {
            const bool computed =
                kind(input.op) == OpKind::kElementwise || !graph_.control_inputs(input.op).empty();
            return phase(input.op) == Phase::kUpdate && computed;
          });
      if (waits_for_update || writes_update) set(op, Phase::kUpdate);
    }
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phase(*op) != Phase::kOther || kind(*op) != OpKind::kConstant) continue;
      const auto uses = consumers_.data(*op);
      const bool only_update = std::all_of(
          uses.begin(), uses.end(), [&](Use use) { return phase(use.consumer) == Phase::kUpdate; });
      if (!uses.empty() && only_update) set(*op, Phase::kUpdate);
    }
  }

  // Ops that nobody reads belong where the op before them in the file does. What goes into initial
  // values, files and summaries stays.
  void assign_leftovers() {
    if (flow_.seeds.empty()) return;
    const auto has_purpose = leading_to([&](OpId op) {
      const OpKind is = kind(op);
      return phase(op) == Phase::kOther &&
             (is == OpKind::kAssign || is == OpKind::kSave || is == OpKind::kSummary ||
              is == OpKind::kQueue || is == OpKind::kHost || is == OpKind::kCheck);
    });
    Phase before = Phase::kOther;
    for (const OpId op : graph_.ops()) {
      const OpKind is = kind(op);
      if (phase(op) != Phase::kOther) {
        before = phase(op);
      } else if (has_purpose[op.index()]) {
        before = Phase::kOther;
      } else if ((before == Phase::kForward || before == Phase::kBackward) &&
                 is != OpKind::kVariable && is != OpKind::kPlaceholder && is != OpKind::kControl) {
        set(op, before);
      }
    }
  }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  const GradientFlow& flow_;
  std::vector<OpId> order_;
  std::vector<bool> after_seed_;
  std::vector<bool> is_update_;
  std::vector<bool> forward_;
  std::vector<bool> finished_;
  std::vector<bool> is_seed_;
  std::vector<bool> is_unique_;  // by type id
  Phases phases_;
};

}  // namespace

const char* phase_name(Phase phase) {
  switch (phase) {
    case Phase::kForward: return "forward";
    case Phase::kBackward: return "backward";
    case Phase::kUpdate: return "update";
    case Phase::kOther: break;
  }
  return "other";
}

Phases find_phases(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
                   const StackLinks& stacks, const GradientFlow& flow) {
  return Search(graph, consumers, facts, stacks, flow).run();
}

}  // namespace tideline
