#include "core/analysis/structure/gradient_helpers.h"

#include <algorithm>

#include "core/analysis/producers_first.h"

namespace tideline {
namespace {

class Helpers {
 public:
  Helpers(const HelperFacts& known, std::vector<OpId>& owners)
      : graph_(known.graph),
        consumers_(known.consumers),
        facts_(known.facts),
        stacks_(known.stacks),
        phases_(known.phases),
        reads_(known.reads),
        walks_(known.walks),
        owner_(owners) {}

  void run() {
    const std::vector<OpId> order = producers_first(graph_);
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
      if (phases_.of(*op) != Phase::kBackward || owner(*op).valid()) continue;
      owner_[op->index()] = helped(*op);
    }
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
      if (phases_.of(*op) != Phase::kBackward || owner(*op).valid()) continue;
      if (!reads_.carries(*op)) owner_[op->index()] = nearest_in_file(*op);
    }
  }

 private:
  [[nodiscard]] OpId helped(OpId op) const {
    if (reads_.carries(op)) return {};
    for (const Use use : consumers_.data(op)) {
      const OpId forward = owner(use.consumer);
      if (!forward.valid()) continue;
      // Zeros that enter a loop stand for the gradient of what left it.
      if (kind(op) == OpKind::kEnter && kind(forward) == OpKind::kSwitch) {
        const OpId exit =
            walks_.reader(forward, [&](OpId reader) { return kind(reader) == OpKind::kExit; });
        if (exit.valid()) return exit;
      }
      return forward;
    }
    const std::uint32_t stack = stacks_.stack_of(op);
    if (stack != StackLinks::kNone && !facts(op).popped) {
      for (const OpId pop : stacks_.pops(stack)) {
        if (owner(pop).valid()) return owner(pop);
      }
    }
    for (const OpId waiter : consumers_.control(op)) {
      if (owner(waiter).valid()) return owner(waiter);
    }
    return {};
  }
  [[nodiscard]] OpId nearest_in_file(OpId op) const {
    constexpr std::uint32_t kFarthest = 40;
    const std::vector<TensorId> tensors = reads_.of(op);
    const auto works_on_it = [&](OpId other) {
      if (phases_.of(other) != Phase::kBackward || !owner(other).valid()) return false;
      return tensors.empty() || std::any_of(tensors.begin(), tensors.end(), [&](TensorId tensor) {
               return touches(graph_, owner(other), tensor);
             });
    };
    for (std::uint32_t step = 1; step < kFarthest; ++step) {
      const OpId after{op.value + step};
      if (after.index() < graph_.op_count() && works_on_it(after)) return owner(after);
      if (op.value >= step && works_on_it(OpId{op.value - step}))
        return owner(OpId{op.value - step});
    }
    return {};
  }

  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }
  [[nodiscard]] OpId owner(OpId op) const { return owner_[op.index()]; }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  const Phases& phases_;
  const BackwardReads& reads_;
  const ForwardWalks& walks_;
  std::vector<OpId>& owner_;
};

}  // namespace

void give_to_helpers(const HelperFacts& known, std::vector<OpId>& owners) {
  Helpers(known, owners).run();
}

}  // namespace tideline
