// Problem: a gradient is computed by a few generic ops (Mul, Sum, Reshape, Neg), and nothing
// records for which forward op.
// Idea: the backward pass mirrors the forward pass. Visit the gradients from the seed downwards:
// the next op belongs either to the same forward op as the previous one or, if the gradient of that
// one is finished, to the producer of one of its inputs. The choice is made, in this order, by the
// forward tensors that the op reads (inputs and outputs of its forward op), by its type (gradient
// op types declare whose gradient they are; the facts table lists the op types of a gradient), and
// by proximity.
//   y = Mul(a, b); z = ReLU(y)        dz -> ReluGrad(dz, z) reads z: for the ReLU
//                                        -> Mul(., b) reads b, an input of y: for the Mul
// A gradient ends with an Identity that waits for a NoOp which waits for all parts (TensorFlow 1
// groups the gradients of one op this way), or with an op type whose gradient is a single op. The
// input that such an end is the gradient of is the operand that a product does not read, the output
// slot of a gradient op, the tensor whose shape it takes, else the one that leads to what is read
// next.
// Loops: the gradient of an Exit is an Enter, of a Merge a Switch, and so on; the sum over
// iterations of the gradients of a loop-invariant input belongs to the Enter of that input.
// Limits: among equal branches that never differ in what they read, the first is taken. Source:
// own; checked against the names under the gradient scopes. Tested by
// unit/analysis/structure/gradient_pairs_test.cc and golden/structure_test.cc.
#include "core/analysis/structure/gradient_pairs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "core/analysis/structure/backward_reads.h"
#include "core/analysis/structure/forward_walks.h"
#include "core/analysis/structure/gradient_accumulators.h"
#include "core/analysis/structure/gradient_groups.h"
#include "core/analysis/structure/gradient_helpers.h"
#include "core/analysis/structure/gradient_targets.h"
#include "core/analysis/structure/lone_pairs.h"
#include "core/analysis/structure/pair_scores.h"

namespace tideline {
namespace {

// The op types of a loop op's gradient.
std::optional<OpKind> mirrored(OpKind kind) {
  switch (kind) {
    case OpKind::kEnter: return OpKind::kExit;
    case OpKind::kExit: return OpKind::kEnter;
    case OpKind::kMerge: return OpKind::kSwitch;
    case OpKind::kSwitch: return OpKind::kMerge;
    case OpKind::kNextIteration: return OpKind::kSwitch;
    default: return std::nullopt;
  }
}

class PairSearch {
 public:
  PairSearch(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
             const StackLinks& stacks, const GradientFlow& flow, const Phases& phases)
      : graph_(graph),
        consumers_(consumers),
        facts_(facts),
        stacks_(stacks),
        flow_(flow),
        phases_(phases),
        reads_(graph, facts, stacks, flow, phases),
        walks_(graph, consumers, facts, flow, phases),
        owner_(graph.op_count()),
        ends_gradient_(graph.op_count()),
        targets_(graph, consumers, facts, flow, phases, reads_, walks_, owner_, ends_gradient_),
        accumulators_(graph, facts),
        groups_(graph, consumers, facts, reads_, walks_, owner_),
        lone_(graph, consumers, facts, phases, reads_, walks_) {}

  std::vector<OpId> run() {
    for (const OpId op : graph_.ops()) {
      if (phases_.of(op) != Phase::kBackward) continue;
      owner_[op.index()] = lone_.around_kept(op);
      if (!reads_.carries(op)) continue;
      ends_gradient_[op.index()] = gradient_group(graph_, op).valid();
      accumulators_.find(op);
    }
    for (std::size_t i = 0; i < std::min(flow_.seeds.size(), kMostUses); ++i) {
      start_at(flow_.seeds[i]);
    }
    order_gradients();
    walk_down();
    walk_up();
    targets_.forget();
    walk_down();
    for (const auto& [seed, ends] : losses_) {
      owner_[seed] = ends.empty() ? OpId() : ends.front().op;
    }
    give_to_helpers({graph_, consumers_, facts_, stacks_, phases_, reads_, walks_}, owner_);
    return std::move(owner_);
  }

 private:
  using Near = ForwardWalks::Near;  // an op and its distance
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }
  [[nodiscard]] OpId owner(OpId op) const { return owner_[op.index()]; }

  // Forward ops around the loss of `seed`, by distance from the end: found behind the first op
  // downstream that reads the forward pass.
  void start_at(OpId seed) {
    std::vector<OpId> seen = {seed};
    OpId found;
    for (std::size_t i = 0; i < seen.size() && seen.size() < 256 && !found.valid(); ++i) {
      for (const Use use : some_uses(consumers_, seen[i])) {
        const OpId op = use.consumer;
        if (!reads_.carries(op) || seen.size() >= 256 ||
            std::find(seen.begin(), seen.end(), op) != seen.end()) {
          continue;
        }
        seen.push_back(op);
        found = owner(op);
        if (found.valid()) break;
        for (const TensorId tensor : reads_.of(op)) {
          if (!found.valid() && !targets_.is_leaf(tensor)) found = tensor.op;
        }
        if (found.valid()) break;
      }
    }
    losses_[seed.index()] = found.valid() ? walks_.ends_behind(found) : std::vector<Near>();
  }

  template <typename Visit>
  void for_each_dependency(OpId op, const Visit& visit) const {
    const OpId old_value = accumulators_.old_value(op);
    const bool is_merge = kind(op) == OpKind::kMerge;
    for (const TensorId input : graph_.inputs(op)) {
      if (old_value.valid() && old_value == input.op) continue;
      const bool next = kind(input.op) == OpKind::kNextIteration;
      if (is_merge && next != accumulators_.is_merge(op)) continue;
      visit(input.op);
    }
    if (!ends_gradient_[op.index()]) return;
    const auto parts = graph_.control_inputs(gradient_group(graph_, op));
    for (std::size_t i = 0; i < std::min(parts.size(), kMostGradientParts); ++i) visit(parts[i]);
  }

  // Carrying ops, each after the ops that determine its owner.
  void order_gradients() {
    std::vector<bool> seen(graph_.op_count());
    std::vector<std::pair<OpId, bool>> todo;
    for (const OpId start : graph_.ops()) {
      if (!reads_.carries(start) || seen[start.index()]) continue;
      todo.emplace_back(start, false);
      while (!todo.empty()) {
        const auto [op, entered] = todo.back();
        todo.pop_back();
        if (entered) {
          order_.push_back(op);
          continue;
        }
        if (seen[op.index()]) continue;
        seen[op.index()] = true;
        todo.emplace_back(op, true);
        for_each_dependency(op, [&](OpId before) {
          if (reads_.carries(before) && !seen[before.index()]) todo.emplace_back(before, false);
        });
      }
    }
  }

  void walk_down() {
    for (const OpId op : order_) {
      if (!owner(op).valid() && !losses_.contains(op.index())) owner_[op.index()] = owner_of(op);
    }
  }

  OpId owner_of(OpId op) {
    std::vector<OpId> before;
    const OpId own_value = accumulators_.old_value(op);
    for (const TensorId input : graph_.inputs(op)) {
      const bool known = owner(input.op).valid() || losses_.contains(input.op.index());
      if (!known || !reads_.carries(input.op) || input.op == own_value) continue;
      if (std::find(before.begin(), before.end(), input.op) == before.end()) {
        before.push_back(input.op);
      }
      if (before.size() >= kMostGradientParts) break;
    }
    if (before.empty()) return {};
    if (accumulators_.contains(op, before)) return owner(before.front());
    if (own_value.valid()) return entered_constant(before.front());
    const std::vector<Near> near = candidates(before);
    if (ends_gradient_[op.index()]) return groups_.owner_of(op, near);
    return best_of(op, near, before.size());
  }

  // The Enter through which a constant came into the loop, whose gradients are summed up.
  [[nodiscard]] OpId entered_constant(OpId added) {
    const OpId op = owner(added);
    if (!op.valid()) return {};
    OpId found;
    for (const TensorId input : graph_.inputs(op)) {
      if (kind(input.op) == OpKind::kEnter) found = input.op;
    }
    if (found.valid()) return found;
    for (const Near& near : walks_.producers(op, graph_.inputs(op))) {
      if (kind(near.op) == OpKind::kEnter) return near.op;
    }
    return op;
  }

  // Forward ops that may come next, with their distance; each once, the nearest counts.
  std::vector<Near> candidates(const std::vector<OpId>& before) {
    std::vector<Near> all;
    const auto add = [&](OpId op, int distance) {
      for (Near& near : all) {
        if (near.op != op) continue;
        near.distance = std::min(near.distance, distance);
        ++near.paths;
        return;
      }
      all.push_back({op, distance, 1});
    };
    for (const OpId producer : before) {
      const auto loss = losses_.find(producer.index());
      if (loss != losses_.end()) {
        for (const Near& near : loss->second) add(near.op, near.distance + 1);
        continue;
      }
      const OpId forward = owner(producer);
      if (!is_finished(producer, forward)) add(forward, 0);
      for (const Near& near : walks_.producers(forward, targets_.of(producer))) {
        add(near.op, near.distance + 1);
      }
    }
    return all;
  }

  // Whether nothing of the gradient of `forward` follows behind `op`.
  [[nodiscard]] bool is_finished(OpId op, OpId forward) const {
    if (ends_gradient_[op.index()]) return true;
    const std::string_view type = graph_.type(op);
    const std::string_view of = graph_.type(forward);
    if (of == "Sum" && (type == "Tile" || type == "BroadcastTo")) return true;
    if (of == "Mean" && type == "RealDiv") return true;
    // The gradient of a function of one number is a product with its derivative.
    if (type != "Mul" || kind(forward) != OpKind::kElementwise ||
        graph_.inputs(forward).size() != 1) {
      return false;
    }
    const auto factors = graph_.inputs(op);
    return std::none_of(factors.begin(), factors.end(), [&](TensorId factor) {
      return flow_.is_constant[factor.op.index()] && !reads_.carries(factor.op);
    });
  }

  OpId best_of(OpId op, const std::vector<Near>& near, std::size_t producers) {
    if (graph_.type(op) == "AddN" && producers > 1) {
      const Near* best = nullptr;
      for (const Near& one : near) {
        if (one.paths < producers) continue;
        if (best == nullptr || one.distance < best->distance) best = &one;
      }
      if (best != nullptr) return best->op;
    }
    const std::vector<TensorId> tensors = reads_.of(op);
    const auto need = mirrored(kind(op));
    OpId best;
    double best_score = -std::numeric_limits<double>::infinity();
    for (const Near& one : near) {
      const bool fits = walks_.is_made_of(graph_.type_id(one.op), graph_.type_id(op));
      if (kind(op) == OpKind::kGradient && !fits) continue;
      if (need && kind(one.op) != *need) continue;
      int read = 0;
      for (const TensorId tensor : tensors) read += touches(graph_, one.op, tensor) ? 1 : 0;
      const double score =
          pair_score({read, static_cast<int>(tensors.size()) - read, fits, one.distance});
      if (score > best_score) {
        best_score = score;
        best = one.op;
      }
    }
    return best;
  }

  // Chains that no seed reaches with an owner (gradients that begin with zeros): from what follows.
  void walk_up() {
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (owner(*op).valid() || losses_.contains(op->index())) continue;
      if (!mirrored(kind(*op))) owner_[op->index()] = lone_.around_read(*op);
    }
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (owner(*op).valid() || losses_.contains(op->index())) continue;
      for (const Use use : consumers_.data(*op)) {
        if (!reads_.carries(use.consumer) || !owner(use.consumer).valid()) continue;
        const auto need = mirrored(kind(*op));
        if (need && ends_gradient_[use.consumer.index()] && kind(owner(use.consumer)) == *need) {
          owner_[op->index()] = owner(use.consumer);
          break;
        }
        const OpId found = walks_.reader(owner(use.consumer), [&](OpId forward) {
          if (need) return kind(forward) == *need;
          if (ends_gradient_[op->index()]) return kind(forward) == OpKind::kMerge;
          return walks_.is_made_of(graph_.type_id(forward), graph_.type_id(*op));
        });
        if (!found.valid()) continue;
        owner_[op->index()] = found;
        break;
      }
    }
  }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  const GradientFlow& flow_;
  const Phases& phases_;
  BackwardReads reads_;
  ForwardWalks walks_;
  std::vector<OpId> owner_;
  std::vector<bool> ends_gradient_;
  GradientTargets targets_;
  GradientAccumulators accumulators_;
  GradientGroups groups_;
  LonePairs lone_;
  std::map<std::size_t, std::vector<Near>> losses_;  // by seed
  std::vector<OpId> order_;
};

}  // namespace

std::vector<OpId> find_gradient_pairs(const Graph& graph, const Consumers& consumers,
                                      const OpFactsTable& facts, const StackLinks& stacks,
                                      const GradientFlow& flow, const Phases& phases) {
  return PairSearch(graph, consumers, facts, stacks, flow, phases).run();
}

}  // namespace tideline
