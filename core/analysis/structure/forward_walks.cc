#include "core/analysis/structure/forward_walks.h"

#include <string_view>
#include <unordered_map>

namespace tideline {
namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

// Types whose gradient may be the incoming gradient itself (when shapes are equal).
bool may_hand_on(std::string_view type, OpKind kind) {
  switch (kind) {
    case OpKind::kView:
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kSwitch:
    case OpKind::kMerge:
    case OpKind::kNextIteration: return true;
    default: break;
  }
  for (const std::string_view one : {"Add", "AddV2", "AddN", "BiasAdd", "Sub", "Cast", "ConcatV2",
                                     "Sum", "Mean", "Mul", "CheckNumerics"}) {
    if (type == one) return true;
  }
  return false;
}

}  // namespace

ForwardWalks::ForwardWalks(const Graph& graph, const Consumers& consumers,
                           const OpFactsTable& facts, const GradientFlow& flow,
                           const Phases& phases)
    : graph_(&graph), consumers_(&consumers), facts_(&facts), flow_(&flow), phases_(&phases) {
  const auto types = static_cast<std::uint32_t>(graph.types().size());
  std::unordered_map<std::string_view, std::uint32_t> ids;
  for (std::uint32_t id = 0; id < types; ++id) ids.emplace(graph.types()[id], id);
  made_of_.resize(types);
  gradient_of_.resize(types);
  for (std::uint32_t id = 0; id < types; ++id) {
    const OpFacts& known = facts.of(id);
    hands_on_.push_back(may_hand_on(graph.types()[id], known.kind));
    for (const std::string& part : known.backward) {
      if (const auto found = ids.find(part); found != ids.end()) {
        made_of_[id].push_back(found->second);
      }
    }
    for (const std::string& forward : known.gradient_of) {
      const auto found = ids.find(forward);
      if (found == ids.end()) continue;
      gradient_of_[id].push_back(found->second);
      made_of_[found->second].push_back(id);
    }
  }
  for (auto& list : made_of_) sort_unique(list);
  for (auto& list : gradient_of_) sort_unique(list);
}

bool ForwardWalks::is_gradient_of(std::uint32_t gradient, std::uint32_t forward) const {
  return contains(gradient_of_[gradient], forward);
}

bool ForwardWalks::is_made_of(std::uint32_t forward, std::uint32_t backward) const {
  return contains(made_of_[forward], backward);
}

std::vector<TensorId> ForwardWalks::differentiable(OpId op) const {
  const OpFacts& known = facts_->of(*graph_, op);
  const auto inputs = graph_->inputs(op);
  std::vector<TensorId> found;
  constexpr std::size_t kMostCompared = 64;  // longer lists may hold a tensor twice
  constexpr std::size_t kMostKept = 512;
  const auto add = [&](TensorId tensor) {
    const auto end =
        found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kMostCompared));
    if (found.size() < kMostKept && std::find(found.begin(), end, tensor) == end) {
      found.push_back(tensor);
    }
  };
  if ((known.kind == OpKind::kSwitch || known.kind == OpKind::kReduce) && !inputs.empty()) {
    return {inputs[0]};
  }
  // A quotient has a gradient for the divisor too.
  const OpSignature* signature = graph_->signature(op);
  const bool divides = known.kind == OpKind::kElementwise && known.linear.size() == 1 &&
                       signature != nullptr && signature->inputs.size() > 1;
  if (!divides) {
    facts_->for_each_slot(*graph_, op, known.linear,
                          [&](std::uint32_t slot) { add(inputs[slot]); });
  }
  if (!found.empty()) return found;
  constexpr std::size_t kMostInputs = 64;
  for (std::size_t i = 0; i < std::min(inputs.size(), kMostInputs); ++i) add(inputs[i]);
  return found;
}

std::vector<ForwardWalks::Near> ForwardWalks::producers(OpId op,
                                                        std::span<const TensorId> tensors) const {
  constexpr std::size_t kMostOps = 40;
  constexpr int kFarthest = 12;
  std::vector<Near> found;
  const auto add = [&](std::span<const TensorId> inputs, int distance) {
    for (const TensorId input : inputs) {
      const OpId from = input.op;
      const OpKind kind = facts_->of(*graph_, from).kind;
      if (found.size() >= kMostOps) return;
      if (from == op || phases_->of(from) != Phase::kForward || flow_->is_constant[from.index()] ||
          kind == OpKind::kVariable || kind == OpKind::kPlaceholder ||
          std::any_of(found.begin(), found.end(), [&](const Near& n) { return n.op == from; })) {
        continue;
      }
      found.push_back({from, distance, 1});
    }
  };
  add(tensors, 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Near near = found[i];
    if (near.distance + 1 < kFarthest && hands_on(near.op)) {
      add(graph_->inputs(near.op), near.distance + 1);
    }
  }
  return found;
}

std::vector<ForwardWalks::Near> ForwardWalks::ends_behind(OpId op) const {
  constexpr std::size_t kMostOps = 300;
  std::vector<OpId> seen = {op};
  std::vector<Near> found;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    bool goes_on = false;
    const auto uses = consumers_->data(seen[i]);
    for (const Use use : uses.first(std::min(uses.size(), kMostOps))) {
      if (phases_->of(use.consumer) != Phase::kForward ||
          facts_->of(*graph_, use.consumer).kind == OpKind::kAssign) {
        continue;
      }
      const bool is_new = std::find(seen.begin(), seen.end(), use.consumer) == seen.end();
      goes_on = true;
      if (is_new && seen.size() < kMostOps) seen.push_back(use.consumer);
    }
    if (!goes_on) found.push_back({seen[i], 0, 1});
  }
  // Backwards from the ends, through the ops visited before.
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Near near = found[i];
    const auto inputs = graph_->inputs(near.op);
    for (const TensorId input : inputs.first(std::min(inputs.size(), kMostOps))) {
      if (std::find(seen.begin(), seen.end(), input.op) == seen.end() ||
          std::any_of(found.begin(), found.end(),
                      [&](const Near& other) { return other.op == input.op; })) {
        continue;
      }
      found.push_back({input.op, near.distance + 1, 1});
    }
  }
  return found;
}

std::pair<int, int> ForwardWalks::behind(OpId op, const std::vector<TensorId>& tensors) {
  constexpr std::size_t kMostOps = 256;
  if (met_.empty()) met_.resize(graph_->op_count());
  ++walk_;
  met_[op.index()] = walk_;
  std::vector<Near> seen = {{op, 0, 1}};
  int count = 0;
  int nearest = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Near near = seen[i];
    for (const TensorId tensor : tensors) {
      if (tensor.op != near.op) continue;
      if (count == 0) nearest = near.distance;
      ++count;
    }
    if (count == static_cast<int>(tensors.size())) break;
    for (const TensorId input : graph_->inputs(near.op)) {
      if (seen.size() >= kMostOps) break;
      if (phases_->of(input.op) != Phase::kForward || met_[input.op.index()] == walk_) continue;
      met_[input.op.index()] = walk_;
      seen.push_back({input.op, near.distance + 1, 1});
    }
  }
  return {count, -nearest};
}

}  // namespace tideline
