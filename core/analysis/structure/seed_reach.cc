// The first part of the essay in phases.cc: what becomes of the seeds.
#include "core/analysis/structure/seed_reach.h"

#include <utility>

#include "core/graph/walks.h"

namespace tideline {
namespace {

class SeedWalk {
 public:
  explicit SeedWalk(const PassFacts& known)
      : known_(known), walk_(known.graph), is_update_(known.graph.op_count()) {}

  // Each stack is handled once: its first push leads to all of its pops.
  SeedReach run() {
    std::vector<bool> stack_done(known_.stacks.count());
    for (const OpId op : known_.graph.ops()) {
      const OpFacts& facts = known_.of(op);
      if (known_.flow.carries(op) && !known_.flow.is_inner[op.index()]) walk_.add(op);
      // Without a seed, gradient ops of optimizers' graphs begin the backward pass.
      if (known_.flow.seeds.empty() && facts.kind == OpKind::kGradient && facts.bilinear.empty())
        walk_.add(op);
    }
    while (const auto op = walk_.next()) {
      if (known_.writes_variable(*op)) {
        is_update_[op->index()] = true;
        reach_reads_after(*op);
      }
      walk_.add_readers(known_.consumers, *op, Edges::kData);
      const std::uint32_t stack = known_.stacks.stack_of(*op);
      if (stack == StackLinks::kNone || known_.of(*op).popped || stack_done[stack]) continue;
      stack_done[stack] = true;
      for (const OpId pop : known_.stacks.pops(stack)) walk_.add(pop);
    }
    SeedReach found = {walk_.take(), std::move(is_update_)};
    for (const OpId op : known_.graph.ops()) {
      if (known_.kind(op) == OpKind::kUpdate) found.is_update[op.index()] = true;
      if (known_.kind(op) == OpKind::kCall && found.after_seed[op.index()]) {
        found.is_update[op.index()] = updates_inside(op, found.after_seed);
      }
      if (found.is_update[op.index()]) found.after_seed[op.index()] = false;
    }
    return found;
  }

 private:
  [[nodiscard]] bool updates_inside(OpId call, const std::vector<bool>& after_seed) const {
    std::vector<bool> from;
    for (const TensorId input : known_.graph.inputs(call)) {
      from.push_back(after_seed[input.op.index()]);
    }
    return !known_.calls.written_from(known_.graph, call, from).empty();
  }

  // Reads of the variable that `write` wrote, as far as they wait for it.
  void reach_reads_after(OpId write) {
    if (known_.graph.inputs(write).empty()) return;
    const OpId variable =
        behind_views(known_.graph, known_.facts, known_.graph.inputs(write)[0].op);
    for (const OpId read : known_.consumers.control(write)) {
      if (known_.kind(read) != OpKind::kRead && known_.kind(read) != OpKind::kView) continue;
      if (!known_.graph.inputs(read).empty() &&
          behind_views(known_.graph, known_.facts, read) == variable)
        walk_.add(read);
    }
  }

  const PassFacts& known_;
  OpWalk walk_;
  std::vector<bool> is_update_;
};

}  // namespace

SeedReach find_seed_reach(const PassFacts& known) {
  return SeedWalk(known).run();
}

}  // namespace tideline
