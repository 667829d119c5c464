// The essay is in gradient_pairs.cc; this part finds the input that the end of a gradient belongs
// to.
#include "core/analysis/structure/gradient_targets.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace tideline {
OpId gradient_group(const Graph& graph, OpId op) {
  if (graph.type(op) != "Identity") return {};
  for (const OpId before : graph.control_inputs(op)) {
    if (graph.type(before) == "NoOp") return before;
  }
  return {};
}

bool GradientTargets::is_leaf(TensorId tensor) const {
  const OpKind is = kind(tensor.op);
  return flow_.is_constant[tensor.op.index()] || is == OpKind::kVariable ||
         is == OpKind::kPlaceholder || is == OpKind::kRandom || is == OpKind::kInput;
}

const std::vector<TensorId>& GradientTargets::of(OpId op) {
  const auto known = found_.find(op.value);
  if (known != found_.end()) return known->second;
  return found_.emplace(op.value, find(op)).first->second;
}

std::vector<TensorId> GradientTargets::find(OpId op) {
  const OpId forward = owner(op);
  std::vector<TensorId> inputs = walks_.differentiable(forward);
  if (inputs.size() < 2) return inputs;
  // Behind the Identity ops that end a gradient, and the slot that was read.
  OpId made_by = op;
  std::uint32_t slot = 0;
  while (ends_gradient_[made_by.index()] && !graph_.inputs(made_by).empty() &&
         owner(graph_.inputs(made_by)[0].op) == forward) {
    slot = graph_.inputs(made_by)[0].slot;
    made_by = graph_.inputs(made_by)[0].op;
  }
  if (const auto certain = certain_input(made_by, slot, forward, inputs)) return {*certain};
  std::vector<TensorId> rest = inputs;
  if (owner(made_by) == forward) {
    std::vector<TensorId> factors;
    collect_factors(made_by, forward, factors, 0);
    std::erase_if(rest, [&](TensorId tensor) {
      return std::find(factors.begin(), factors.end(), tensor) != factors.end();
    });
    if (rest.empty()) rest = inputs;
  }
  if (std::any_of(rest.begin(), rest.end(),
                  [&](TensorId tensor) { return !flow_.is_constant[tensor.op.index()]; })) {
    std::erase_if(rest, [&](TensorId tensor) { return flow_.is_constant[tensor.op.index()]; });
  }
  return rest.size() == 1 ? rest : look_ahead(op, rest, in_turn(op, inputs));
}

std::optional<TensorId> GradientTargets::certain_input(OpId made_by, std::uint32_t slot,
                                                       OpId forward,
                                                       const std::vector<TensorId>& inputs) const {
  const auto all = graph_.inputs(forward);
  const OpFacts& known = facts(made_by);
  if (known.kind == OpKind::kGradient && owner(made_by) == forward &&
      facts(forward).kind != OpKind::kGradient) {
    const std::string_view type = graph_.type(made_by);
    const bool second = type == "BiasAddGrad" || type.find("BackpropFilter") != type.npos;
    const std::uint32_t input = second ? 1 : slot;
    if (input < all.size()) return all[input];
  }
  if (known.kind == OpKind::kSwitch && kind(forward) == OpKind::kMerge && slot < all.size()) {
    return all[slot];
  }
  if (graph_.type(forward) == "Sub" && owner(made_by) == forward && all.size() == 2) {
    return all[negates(made_by, forward) ? 1 : 0];
  }
  const auto has = [&](TensorId tensor) {
    return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
  };
  if (graph_.type(made_by) == "Reshape" && graph_.inputs(made_by).size() == 2) {
    const TensorId shape = graph_.inputs(made_by)[1];
    if (kind(shape.op) == OpKind::kShape && shape.slot < graph_.inputs(shape.op).size()) {
      const TensorId tensor = reads_.behind(graph_.inputs(shape.op)[shape.slot]);
      if (has(tensor)) return tensor;
    }
  }
  // A stitch's gradient gathers by the rows that belong to one of its values.
  if (graph_.type(forward).ends_with("DynamicStitch")) {
    for (const TensorId tensor : reads_.of(made_by)) {
      const auto rows = std::find(all.begin(), all.end(), tensor);
      const auto at = static_cast<std::size_t>(rows - all.begin());
      if (at < all.size() / 2) return all[at + all.size() / 2];
    }
  }
  return std::nullopt;
}

// Whether `op`, in the gradient of a difference, gives the gradient of what was subtracted.
bool GradientTargets::negates(OpId op, OpId forward) const {
  for (int steps = 0; steps < 4 && owner(op) == forward; ++steps) {
    if (graph_.type(op) == "Neg") return true;
    if (graph_.inputs(op).empty()) return false;
    op = graph_.inputs(op)[0].op;
  }
  return false;
}

// Forward tensors that the products on the way to `op` multiply with.
void GradientTargets::collect_factors(OpId op, OpId forward, std::vector<TensorId>& factors,
                                      int depth) const {
  const bool multiplies = !facts(op).bilinear.empty();
  for (const TensorId input : graph_.inputs(op)) {
    if (reads_.carries(input.op)) {
      if (depth < 6 && owner(input.op) == forward) {
        collect_factors(input.op, forward, factors, depth + 1);
      }
      continue;
    }
    if (!multiplies) continue;
    const TensorId tensor = reads_.behind(input);
    if (phases_.of(tensor.op) != Phase::kBackward) {
      factors.push_back(tensor);
    } else if (kind(tensor.op) == OpKind::kElementwise) {
      for (const TensorId helped : graph_.inputs(tensor.op)) {
        factors.push_back(reads_.behind(helped));
      }
    }
  }
}

// The ends of a gradient mostly stand in the file in the order of the inputs.
std::optional<TensorId> GradientTargets::in_turn(OpId op,
                                                 const std::vector<TensorId>& inputs) const {
  if (!ends_gradient_[op.index()] || inputs.size() > kMostGradientParts) return std::nullopt;
  const OpId group = gradient_group(graph_, op);
  std::size_t count = 0;
  std::size_t position = 0;
  for (const OpId end : consumers_.control(group)) {
    if (gradient_group(graph_, end) != group) continue;
    if (end == op) position = count;
    if (++count > inputs.size()) return std::nullopt;
  }
  if (count != inputs.size()) return std::nullopt;
  return inputs[position];
}

// If there are several inputs: the one from which the forward tensors come that are read next
// downstream.
std::vector<TensorId> GradientTargets::look_ahead(OpId op, const std::vector<TensorId>& rest,
                                                  std::optional<TensorId> in_turn) {
  std::vector<OpId> seen = {op};
  std::vector<TensorId> next;
  for (std::size_t i = 0; i < seen.size() && seen.size() < 60 && next.size() < 4; ++i) {
    const auto uses = consumers_.data(seen[i]);
    for (const Use use : uses.first(std::min(uses.size(), kMostUses))) {
      if (!reads_.carries(use.consumer) ||
          std::find(seen.begin(), seen.end(), use.consumer) != seen.end()) {
        continue;
      }
      seen.push_back(use.consumer);
      bool reads = false;
      for (const TensorId tensor : reads_.of(use.consumer)) {
        if (is_leaf(tensor)) continue;
        next.push_back(tensor);
        reads = true;
      }
      if (reads) seen.pop_back();  // do not look behind it
      if (next.size() >= 4 || seen.size() >= 60) break;
    }
  }
  if (next.empty()) {
    // Nothing of the forward pass follows: a variable's gradient.
    std::vector<TensorId> ends;
    std::copy_if(rest.begin(), rest.end(), std::back_inserter(ends), [&](TensorId tensor) {
      return is_leaf(tensor) || kind(tensor.op) == OpKind::kView ||
             kind(tensor.op) == OpKind::kRead;
    });
    return ends.empty() ? rest : ends;
  }
  if (rest.size() > kMostGradientParts) {
    // Too many for walks: the one that is read next, or whose op reads it.
    for (const TensorId& tensor : rest) {
      const auto inputs = graph_.inputs(tensor.op);
      for (const TensorId one : next) {
        const bool direct = one.op == tensor.op || (!inputs.empty() && inputs[0] == one);
        if (direct) return {tensor};
      }
    }
    return rest;
  }
  const TensorId* best = nullptr;
  std::pair<int, int> best_score;  // how many are behind it, and how near
  for (const TensorId& tensor : rest) {
    if (is_leaf(tensor)) continue;
    const std::pair<int, int> score = walks_.behind(tensor.op, next);
    const bool wins_tie = in_turn && tensor == *in_turn && score.first == best_score.first;
    const bool keeps_tie =
        in_turn && best != nullptr && *best == *in_turn && score.first == best_score.first;
    if (score.first > 0 && !keeps_tie && (best == nullptr || score > best_score || wins_tie)) {
      best = &tensor;
      best_score = score;
    }
  }
  return best == nullptr ? rest : std::vector<TensorId>{*best};
}

}  // namespace tideline
