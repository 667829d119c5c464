// The first part of the essay in phases.cc: what becomes of the seeds.
#include "core/analysis/structure/seed_reach.h"

#include <utility>

namespace tideline {
namespace {

class SeedWalk {
 public:
  explicit SeedWalk(const PassFacts& known)
      : known_(known),
        found_{std::vector<bool>(known.graph.op_count()),
               std::vector<bool>(known.graph.op_count())} {}

  // Each stack is handled once: its first push leads to all of its pops.
  SeedReach run() {
    std::vector<OpId> todo;
    std::vector<bool> stack_done(known_.stacks.count());
    const auto reach = [&](OpId op) {
      if (found_.after_seed[op.index()]) return;
      found_.after_seed[op.index()] = true;
      todo.push_back(op);
    };
    for (const OpId op : known_.graph.ops()) {
      const OpFacts& facts = known_.of(op);
      if (known_.flow.carries(op) && !known_.flow.is_inner[op.index()]) reach(op);
      // Without a seed, gradient ops of optimizers' graphs begin the backward pass.
      if (known_.flow.seeds.empty() && facts.kind == OpKind::kGradient && facts.bilinear.empty())
        reach(op);
    }
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      if (known_.writes_variable(op)) {
        found_.is_update[op.index()] = true;
        reach_reads_after(op, reach);
      }
      for (const Use use : known_.consumers.data(op)) reach(use.consumer);
      const std::uint32_t stack = known_.stacks.stack_of(op);
      if (stack == StackLinks::kNone || known_.of(op).popped || stack_done[stack]) continue;
      stack_done[stack] = true;
      for (const OpId pop : known_.stacks.pops(stack)) reach(pop);
    }
    for (const OpId op : known_.graph.ops()) {
      if (known_.kind(op) == OpKind::kUpdate) found_.is_update[op.index()] = true;
      if (found_.is_update[op.index()]) found_.after_seed[op.index()] = false;
    }
    return std::move(found_);
  }

 private:
  // Reads of the variable that `write` wrote, as far as they wait for it.
  template <typename Reach>
  void reach_reads_after(OpId write, const Reach& reach) const {
    if (known_.graph.inputs(write).empty()) return;
    const OpId variable =
        behind_views(known_.graph, known_.facts, known_.graph.inputs(write)[0].op);
    for (const OpId read : known_.consumers.control(write)) {
      if (known_.kind(read) != OpKind::kRead && known_.kind(read) != OpKind::kView) continue;
      if (!known_.graph.inputs(read).empty() &&
          behind_views(known_.graph, known_.facts, read) == variable)
        reach(read);
    }
  }

  const PassFacts& known_;
  SeedReach found_;
};

}  // namespace

SeedReach find_seed_reach(const PassFacts& known) {
  return SeedWalk(known).run();
}

}  // namespace tideline
