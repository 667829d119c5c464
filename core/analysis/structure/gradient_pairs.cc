// Problem: a gradient is computed by a handful of generic ops (Mul, Sum, Reshape, Neg), and nothing
// says for which forward op. Idea: the backward pass mirrors the forward pass. Walk the gradients
// from the seed down: the next op works either for the same forward op as the one before, or, when
// the gradient of that one is finished, for the op that made one of its inputs. Which of these it
// is follows, in this order, from what the op reads of the forward pass (inputs and outputs of its
// forward op), from its type (gradient op types say whose gradient they are; the facts table lists
// what the gradient of an op type is made of), and from nearness.
//   y = Mul(a, b); z = ReLU(y)        dz -> ReluGrad(dz, z) reads z: for the ReLU
//                                        -> Mul(., b) reads b, an input of y: for the Mul
// Ends of a gradient: an Identity that waits for a NoOp which waits for all parts (how TensorFlow 1
// ties the gradients of one op together), and op types whose gradient is a single op. Which input
// such an end is the gradient of: the operand that a product does not read, the output slot of a
// gradient op, the tensor whose shape it takes, else the one that leads to what is read next.
// Loops: an Exit's gradient is an Enter, a Merge's a Switch, and so on; the sum that a loop makes
// of the gradients of a constant input belongs to the Enter of that input. Limits: of equal
// branches that never differ in what they read, the first is taken. Source: own; checked against
// the names under the gradient scopes. Tested by unit/analysis/structure/gradient_pairs_test.cc and
// golden/structure_test.cc.
#include "core/analysis/structure/gradient_pairs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/analysis/structure/backward_reads.h"
#include "core/analysis/structure/forward_walks.h"
#include "core/analysis/structure/gradient_targets.h"

namespace tideline {
namespace {

// What the gradient of a loop op looks like.
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

class Search {
 public:
  Search(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
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
        is_accumulator_(graph.op_count()) {}

  std::vector<OpId> run() {
    for (const OpId op : graph_.ops()) {
      if (phases_.of(op) != Phase::kBackward) continue;
      find_certain(op);
      if (!reads_.carries(op)) continue;
      ends_gradient_[op.index()] = gradient_group(graph_, op).valid();
      find_accumulator(op);
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
    give_to_helpers();
    return std::move(owner_);
  }

 private:
  using Near = ForwardWalks::Near;  // an op and its distance
  // Of ops that are read by more, only the first are looked at: searches stay bounded.
  static constexpr std::size_t kMostUses = 256;

  [[nodiscard]] std::span<const Use> some_uses(OpId op) const {
    const auto uses = consumers_.data(op);
    return uses.first(std::min(uses.size(), kMostUses));
  }

  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }
  [[nodiscard]] bool is_forward(OpId op) const { return phases_.of(op) == Phase::kForward; }
  [[nodiscard]] OpId owner(OpId op) const { return owner_[op.index()]; }

  [[nodiscard]] bool touches(OpId forward, TensorId tensor) const {
    if (tensor.op == forward) return true;
    const auto all = graph_.inputs(forward);
    const auto inputs = all.first(std::min(all.size(), kMostUses));
    return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
  }

  // A gradient op that says which inputs it kept: the one forward op of its type around all of
  // them.
  void find_certain(OpId op) {
    const OpFacts& known = facts(op);
    if (known.kind != OpKind::kGradient || !known.bilinear.empty()) return;
    std::vector<OpId> candidates;
    bool first = true;
    const auto narrow = [&](const Arguments& arguments, bool inputs, bool outputs) {
      facts_.for_each_slot(graph_, op, arguments, [&](std::uint32_t slot) {
        const TensorId tensor = reads_.behind(graph_.inputs(op)[slot]);
        const auto fits = [&](OpId forward) {
          return walks_.is_gradient_of(graph_.type_id(op), graph_.type_id(forward));
        };
        if (!first) {
          std::erase_if(candidates, [&](OpId forward) { return !touches(forward, tensor); });
          return;
        }
        first = false;
        if (outputs && fits(tensor.op)) candidates.push_back(tensor.op);
        if (!inputs) return;
        for (const Use use : some_uses(tensor.op)) {
          if (graph_.inputs(use.consumer)[use.slot] == tensor && is_forward(use.consumer) &&
              fits(use.consumer) && candidates.size() < 64 &&
              std::find(candidates.begin(), candidates.end(), use.consumer) == candidates.end()) {
            candidates.push_back(use.consumer);
          }
        }
      });
    };
    const bool either = !known.kept_outputs.empty() && known.kept_outputs == known.kept_inputs;
    narrow(known.kept_outputs, either, true);
    if (!either) narrow(known.kept_inputs, true, false);
    narrow(known.parameters, true, false);
    if (candidates.size() == 1) owner_[op.index()] = candidates.front();
  }

  [[nodiscard]] OpId behind_copies(OpId op) const {
    for (int steps = 0; steps < 8 && kind(op) == OpKind::kView && !graph_.inputs(op).empty();
         ++steps) {
      op = graph_.inputs(op)[0].op;
    }
    return op;
  }

  // Merge -> Switch -> Add(Switch:1, what is added) -> NextIteration -> Merge.
  void find_accumulator(OpId merge) {
    if (kind(merge) != OpKind::kMerge) return;
    for (const TensorId input : graph_.inputs(merge)) {
      if (kind(input.op) != OpKind::kNextIteration || graph_.inputs(input.op).empty()) continue;
      const OpId sum = behind_copies(graph_.inputs(input.op)[0].op);
      const std::string_view type = graph_.type(sum);
      if (type != "Add" && type != "AddV2" && type != "AddN") continue;
      for (const TensorId term : graph_.inputs(sum)) {
        const OpId from = behind_copies(term.op);
        if (kind(from) != OpKind::kSwitch || graph_.inputs(from).empty() ||
            graph_.inputs(from)[0].op != merge) {
          continue;
        }
        is_accumulator_[merge.index()] = true;
        sum_term_[sum.value] = term.op;
      }
    }
  }

  // Forward ops around the loss of `seed`, by distance from the end: found behind the first op
  // downstream that reads the forward pass.
  void start_at(OpId seed) {
    std::vector<OpId> seen = {seed};
    OpId found;
    for (std::size_t i = 0; i < seen.size() && seen.size() < 256 && !found.valid(); ++i) {
      for (const Use use : some_uses(seen[i])) {
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
    const bool is_sum = sum_term_.contains(op.value);
    const bool is_merge = kind(op) == OpKind::kMerge;
    for (const TensorId input : graph_.inputs(op)) {
      if (is_sum && sum_term_.at(op.value) == input.op) continue;
      const bool next = kind(input.op) == OpKind::kNextIteration;
      if (is_merge && next != is_accumulator_[op.index()]) continue;
      visit(input.op);
    }
    if (!ends_gradient_[op.index()]) return;
    const auto parts = graph_.control_inputs(gradient_group(graph_, op));
    for (std::size_t i = 0; i < std::min(parts.size(), kMostGradientParts); ++i) visit(parts[i]);
  }

  // Carrying ops, each after what its owner follows from.
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
    const OpId own_value = sum_term_.contains(op.value) ? sum_term_.at(op.value) : OpId();
    for (const TensorId input : graph_.inputs(op)) {
      const bool known = owner(input.op).valid() || losses_.contains(input.op.index());
      if (!known || !reads_.carries(input.op) || input.op == own_value) continue;
      if (std::find(before.begin(), before.end(), input.op) == before.end()) {
        before.push_back(input.op);
      }
      if (before.size() >= kMostGradientParts) break;
    }
    if (before.empty()) return {};
    if (in_accumulator(op, before)) return owner(before.front());
    if (sum_term_.contains(op.value)) return entered_constant(before.front());
    const std::vector<Near> near = candidates(before);
    if (ends_gradient_[op.index()]) return owner_of_end(op, near);
    return best_of(op, near, before.size());
  }

  // Ops of an accumulator but for its sum: Merge, Switch, NextIteration, Exit.
  [[nodiscard]] bool in_accumulator(OpId op, const std::vector<OpId>& before) const {
    if (is_accumulator_[op.index()]) return true;
    const OpKind is = kind(op);
    if (is != OpKind::kSwitch && is != OpKind::kExit && is != OpKind::kNextIteration) return false;
    return std::any_of(before.begin(), before.end(), [&](OpId producer) {
      if (is_accumulator_[producer.index()] || sum_term_.contains(producer.value)) return true;
      return kind(producer) == OpKind::kSwitch && !graph_.inputs(producer).empty() &&
             is_accumulator_[graph_.inputs(producer)[0].op.index()];
    });
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
      for (const TensorId tensor : tensors) read += touches(one.op, tensor) ? 1 : 0;
      const int strange = static_cast<int>(tensors.size()) - read;
      // Reading the op's own tensors counts most, then the type, then nearness.
      const double score = 4.0 * read - 2.0 * strange + (fits ? 6.0 : 0.0) - 0.3 * one.distance;
      if (score > best_score) {
        best_score = score;
        best = one.op;
      }
    }
    return best;
  }

  // The Identity ops behind one NoOp end the gradient of one forward op.
  OpId owner_of_end(OpId op, const std::vector<Near>& near) {
    const OpId group = gradient_group(graph_, op);
    const auto known = group_owner_.find(group.value);
    if (known != group_owner_.end()) return known->second;
    const OpId found = owner_of_group(op, group, near);
    if (found.valid()) group_owner_.emplace(group.value, found);
    return found;
  }

  OpId owner_of_group(OpId op, OpId group, const std::vector<Near>& near) {
    const auto all = graph_.control_inputs(group);
    const auto parts = all.first(std::min(all.size(), kMostGradientParts));
    std::vector<std::pair<OpId, int>> votes;
    for (const OpId part : parts) {
      const OpId forward = owner(part);
      if (!forward.valid() || is_incoming(part, parts, group)) continue;
      const auto vote = std::find_if(votes.begin(), votes.end(),
                                     [&](const auto& other) { return other.first == forward; });
      if (vote == votes.end()) {
        votes.emplace_back(forward, 1);
      } else {
        ++vote->second;
      }
    }
    if (!votes.empty()) {
      return std::max_element(votes.begin(), votes.end(),
                              [](const auto& a, const auto& b) { return a.second < b.second; })
          ->first;
    }
    // Only the incoming gradient: an op that hands it on to several inputs.
    const OpId from = graph_.inputs(op)[0].op;
    if (kind(from) == OpKind::kSwitch) return owner(from);
    OpId best;
    int best_distance = std::numeric_limits<int>::max();
    for (const Near& one : near) {
      if (one.op == owner(from)) continue;
      const std::string_view type = graph_.type(one.op);
      const bool sums = type == "Add" || type == "AddV2" || type == "AddN";
      if (!sums && !walks_.hands_on(one.op)) continue;
      const int distance = one.distance + (sums ? 0 : 100);
      if (distance < best_distance) {
        best_distance = distance;
        best = one.op;
      }
    }
    return best.valid() ? best : owner(from);
  }

  // Whether `part` is the gradient that comes in: others are computed from it, or it goes out
  // twice.
  [[nodiscard]] bool is_incoming(OpId part, std::span<const OpId> parts, OpId group) const {
    TensorId seen;
    for (const Use use : some_uses(part)) {
      if (gradient_group(graph_, use.consumer) != group) continue;
      const TensorId tensor = graph_.inputs(use.consumer)[use.slot];
      if (seen.op.valid() && seen == tensor) return true;
      seen = tensor;
    }
    return std::any_of(parts.begin(), parts.end(),
                       [&](OpId other) { return other != part && leads_to(part, other); });
  }
  [[nodiscard]] bool leads_to(OpId from, OpId to) const {
    std::vector<OpId> seen = {to};
    for (std::size_t i = 0; i < seen.size() && seen.size() < 16; ++i) {
      for (const TensorId input : graph_.inputs(seen[i])) {
        if (input.op == from) return true;
        if (reads_.carries(input.op) &&
            std::find(seen.begin(), seen.end(), input.op) == seen.end()) {
          seen.push_back(input.op);
        }
      }
    }
    return false;
  }

  // Chains that no seed reaches with an owner (gradients that begin with zeros): from what follows.
  void walk_up() {
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (owner(*op).valid() || losses_.contains(op->index())) continue;
      owner_[op->index()] = only_fitting(*op);
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

  // The one forward op of fitting type around all tensors that `op` reads.
  [[nodiscard]] OpId only_fitting(OpId op) const {
    if (mirrored(kind(op))) return {};
    std::vector<OpId> fitting;
    bool first = true;
    for (const TensorId tensor : reads_.of(op)) {
      if (!first) {
        std::erase_if(fitting, [&](OpId forward) { return !touches(forward, tensor); });
        continue;
      }
      first = false;
      const auto consider = [&](OpId forward) {
        if (is_forward(forward) && fitting.size() < 64 &&
            walks_.is_made_of(graph_.type_id(forward), graph_.type_id(op)) &&
            std::find(fitting.begin(), fitting.end(), forward) == fitting.end()) {
          fitting.push_back(forward);
        }
      };
      consider(tensor.op);
      for (const Use use : some_uses(tensor.op)) {
        if (graph_.inputs(use.consumer)[use.slot] == tensor) consider(use.consumer);
      }
    }
    return fitting.size() == 1 ? fitting.front() : OpId();
  }

  // Shapes, constants, pushes: whatever they help. What helps nobody: the nearest op in the file
  // that works on the same tensor.
  void give_to_helpers() {
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
               return touches(owner(other), tensor);
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
  std::vector<bool> is_accumulator_;
  std::unordered_map<std::uint32_t, OpId> sum_term_;  // an accumulator's sum -> its own old value
  std::map<std::size_t, std::vector<Near>> losses_;   // by seed
  std::vector<OpId> order_;
  std::unordered_map<std::uint32_t, OpId> group_owner_;
};

}  // namespace

std::vector<OpId> find_gradient_pairs(const Graph& graph, const Consumers& consumers,
                                      const OpFactsTable& facts, const StackLinks& stacks,
                                      const GradientFlow& flow, const Phases& phases) {
  return Search(graph, consumers, facts, stacks, flow, phases).run();
}

}  // namespace tideline
