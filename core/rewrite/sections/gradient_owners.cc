// Problem: the ops of a backward pass have to run with the section whose gradients they compute. A
// gradient is a few generic ops (Mul, Sum, Reshape), and nothing records of which forward op.
// Idea: the gradient of an op reads what the op read or made, and consists of known op types. So
// the owner of a backward op is, among the forward ops around what it reads and around the owners
// of the gradients that come in, the one that shares most tensors with it and whose gradient has
// ops of its type; between equals what is nearer to those owners, then what is later. Ops that
// carry no gradient (shapes, constants) go with what reads them.
//   y = Mul(a, b); z = ReLU(y)        dz -> ReluGrad(dz, z) reads z: for the ReLU
//                                        -> Mul(., b) reads b, an input of y: for the Mul
// TensorFlow 1 ends a gradient with Identity ops that wait for a NoOp that waits for all parts:
// they belong to the last part, or to an addition if the only part is what came in.
// Limits: an op may be given to a neighbour of the op that it is for (one in twenty, by the names
// that TensorFlow 1 gives; a search that also followed which input each gradient is for found all
// but 3 of 14,250 in five times as many lines, and cut all graphs but one at the same tensors).
// That matters at the border of two sections only, and there for the memory alone: membership.cc
// lets nothing run before what it reads.
// Source: own. Tested by unit/rewrite/gradient_owners_test.cc and golden/structure_test.cc.
#include "core/rewrite/sections/gradient_owners.h"

#include <algorithm>
#include <unordered_map>

namespace tideline::sections {
namespace {

// Of inputs, consumers and owners the first ones count; graphs that train have far fewer.
constexpr std::size_t kMost = 64;
constexpr std::size_t kMostTensors = 8;

template <typename T>
std::span<const T> some(std::span<const T> all) {
  return all.first(std::min(all.size(), kMost));
}

template <typename Range, typename T>
bool contains(const Range& range, const T& value) {
  return std::find(range.begin(), range.end(), value) != range.end();
}

class Owners {
 public:
  Owners(const GraphFacts& known, std::span<const OpId> order)
      : known_(known),
        graph_(known.graph()),
        flow_(known.passes().flow()),
        phases_(known.passes().phases()),
        order_(order),
        position_(known.graph().op_count()),
        owner_(known.graph().op_count()) {
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i].index()] = i;
  }

  std::vector<OpId> find() {
    for (const OpId op : order_) {
      if (carries(op)) owner_[op.index()] = owner_of(op);
    }
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phases_.of(*op) != Phase::kBackward || owner(*op).valid()) continue;
      owner_[op->index()] = helped(*op);
      if (!owner(*op).valid() && !carries(*op)) owner_[op->index()] = owner_of(*op);
    }
    return std::move(owner_);
  }

 private:
  [[nodiscard]] const OpFacts& facts(OpId op) const { return known_.ops().of(graph_, op); }
  [[nodiscard]] OpId owner(OpId op) const { return owner_[op.index()]; }
  [[nodiscard]] bool carries(OpId op) const {
    return flow_.carries(op) && phases_.of(op) == Phase::kBackward;
  }
  [[nodiscard]] bool is_later(OpId op, OpId than) const {
    return !than.valid() || position_[op.index()] > position_[than.index()];
  }

  // Variables, constants and what is fed have no gradient of their own, nor have views of them.
  [[nodiscard]] bool may_own(OpId op) const {
    if (phases_.of(op) != Phase::kForward) return false;
    constexpr int kMostViews = 3;
    for (int views = 0; views < kMostViews; ++views) {
      const OpKind kind = facts(op).kind;
      if (flow_.is_constant[op.index()] || kind == OpKind::kVariable || kind == OpKind::kRead ||
          kind == OpKind::kPlaceholder) {
        return false;
      }
      if (kind != OpKind::kView || graph_.inputs(op).empty()) break;
      op = graph_.inputs(op)[0].op;
    }
    return true;
  }

  // Whether the gradient of `forward` consists of ops of the type of `backward`, among others.
  [[nodiscard]] bool fits(OpId backward, OpId forward) {
    const std::uint64_t types =
        (std::uint64_t{graph_.type_id(backward)} << 32U) | graph_.type_id(forward);
    const auto [entry, is_new] = fits_.try_emplace(types);
    if (is_new) {
      entry->second = contains(facts(forward).backward, graph_.type(backward)) ||
                      contains(facts(backward).gradient_of, graph_.type(forward));
    }
    return entry->second;
  }

  // The tensor that a backward Enter, view or pop, or the copy of a swap, passes on as `tensor`.
  [[nodiscard]] TensorId behind(TensorId tensor) const {
    for (std::size_t steps = 0; steps < kMost; ++steps) {
      const OpId op = tensor.op;
      const bool passes_on = phases_.of(op) == Phase::kBackward || known_.copies().contains(op);
      if (!passes_on || graph_.inputs(op).empty()) break;
      const OpFacts& known = facts(op);
      if (known.kind == OpKind::kEnter || known.kind == OpKind::kView ||
          known.kind == OpKind::kSwitch) {
        tensor = graph_.inputs(op)[0];
        continue;
      }
      const std::uint32_t stack = known_.stacks().stack_of(op);
      if (stack == StackLinks::kNone || !known.popped || known_.stacks().pushes(stack).empty())
        break;
      const OpId push = known_.stacks().pushes(stack).front();
      const std::uint32_t slot = *facts(push).value;
      if (slot >= graph_.inputs(push).size()) break;
      tensor = graph_.inputs(push)[slot];
    }
    return tensor;
  }

  // The tensors of other phases that `op` reads, also through ops that carry no gradient.
  [[nodiscard]] std::vector<TensorId> reads(OpId op) const {
    std::vector<TensorId> found;
    std::vector<OpId> seen = {op};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const TensorId input : some(graph_.inputs(seen[i]))) {
        if (carries(input.op)) continue;
        const TensorId tensor = behind(input);
        if (phases_.of(tensor.op) != Phase::kBackward) {
          if (found.size() < kMostTensors && !contains(found, tensor)) found.push_back(tensor);
        } else if (seen.size() < kMost && !carries(tensor.op) && !contains(seen, tensor.op)) {
          seen.push_back(tensor.op);
        }
      }
    }
    return found;
  }

  // Of the end of a gradient; invalid for other ops.
  [[nodiscard]] OpId owner_of_end(OpId op) const {
    if (graph_.type(op) != "Identity") return {};
    for (const OpId group : graph_.control_inputs(op)) {
      if (graph_.type(group) != "NoOp") continue;
      const auto parts = some(graph_.control_inputs(group));
      OpId last;
      for (const OpId part : parts) {
        if (owner(part).valid() && is_later(part, last)) last = part;
      }
      if (!last.valid()) return {};
      OpId sum;
      for (const TensorId input : some(graph_.inputs(owner(last)))) {
        if (parts.size() > 1 || !graph_.type(input.op).starts_with("Add")) continue;
        if (may_own(input.op) && is_later(input.op, sum)) sum = input.op;
      }
      return sum.valid() ? sum : owner(last);
    }
    return {};
  }

  // The last forward op that all of `readers` read: the gradients of its output are summed up.
  [[nodiscard]] OpId read_by_all(std::span<const OpId> readers) const {
    OpId last;
    for (const TensorId tensor : some(graph_.inputs(readers.front()))) {
      const bool all = std::all_of(readers.begin(), readers.end(), [&](OpId reader) {
        const auto inputs = some(graph_.inputs(reader));
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](TensorId input) { return input.op == tensor.op; });
      });
      if (all && may_own(tensor.op) && is_later(tensor.op, last)) last = tensor.op;
    }
    return last;
  }

  [[nodiscard]] OpId owner_of(OpId op) {
    if (const OpId end = owner_of_end(op); end.valid()) return end;
    std::vector<OpId> before, unfinished;  // owners of what comes in
    for (const TensorId input : some(graph_.inputs(op))) {
      if (!carries(input.op) || !owner(input.op).valid()) continue;
      before.push_back(owner(input.op));
      if (!owner_of_end(input.op).valid()) unfinished.push_back(owner(input.op));
    }
    if (before.size() > 1 && graph_.type(op) == "AddN") {
      if (const OpId summed = read_by_all(before); summed.valid()) return summed;
    }
    const std::vector<TensorId> tensors = reads(op);
    OpId best;
    int best_score = 0;
    // A type that fits is worth as much as a tensor that one op has and another has not; to be near
    // is worth less.
    const auto consider = [&](OpId forward, int score) {
      if (!may_own(forward)) return;
      const auto inputs = some(graph_.inputs(forward));
      for (const TensorId tensor : tensors) {
        score += tensor.op == forward || contains(inputs, tensor) ? 4 : -2;
      }
      if (fits(op, forward)) score += 6;
      if (best.valid() &&
          (score < best_score || !(score > best_score || is_later(forward, best)))) {
        return;
      }
      best = forward;
      best_score = score;
    };
    for (const OpId forward : unfinished) consider(forward, 3);
    for (const OpId forward : before) {
      for (const TensorId input : some(graph_.inputs(forward))) consider(input.op, 2);
    }
    for (const TensorId tensor : tensors) {
      consider(tensor.op, 0);
      for (const Use use : some(known_.consumers().data(tensor.op))) {
        if (graph_.inputs(use.consumer)[use.slot] == tensor) consider(use.consumer, 0);
      }
    }
    return best;
  }

  // The owner of what reads `op`, pops what it pushes or waits for it.
  [[nodiscard]] OpId helped(OpId op) const {
    for (const Use use : known_.consumers().data(op)) {
      if (owner(use.consumer).valid()) return owner(use.consumer);
    }
    const std::uint32_t stack = known_.stacks().stack_of(op);
    if (stack != StackLinks::kNone) {
      for (const OpId pop : known_.stacks().pops(stack)) {
        if (owner(pop).valid()) return owner(pop);
      }
    }
    for (const OpId waiter : known_.consumers().control(op)) {
      if (owner(waiter).valid()) return owner(waiter);
    }
    return {};
  }

  const GraphFacts& known_;
  const Graph& graph_;
  const GradientFlow& flow_;
  const Phases& phases_;
  std::span<const OpId> order_;
  std::vector<std::size_t> position_;             // by op: in the order
  std::vector<OpId> owner_;                       // by op
  std::unordered_map<std::uint64_t, bool> fits_;  // by two types
};

}  // namespace

std::vector<OpId> find_gradient_owners(const GraphFacts& known, std::span<const OpId> order) {
  return Owners(known, order).find();
}

}  // namespace tideline::sections
