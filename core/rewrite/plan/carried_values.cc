// Idea: values are numbered by what computes them. An op of the original is found by its type, its
// attributes and the tensors that it reads; an added op whose inputs carry these tensors and that
// has the same type and attributes computes the same.
//   f = Relu(x), f' = Relu(i), i = Identity(x): i carries x:0, so f' reads what f reads: it carries
//   f:0, and whoever reads f' instead of f:0 reads the same value.
// What is read is compared as the *rewritten* graph has it, over Identity ops and other copies;
// that those original ops compute what they did is what the comparison of all ops shows (diff.cc).
// Source: value numbering, as in compilers. Tested by unit/rewrite/diff_test.cc.
#include "core/rewrite/plan/carried_values.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tideline {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t with) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  return hash ^ (with + kGolden + (hash << 6U) + (hash >> 2U));
}

using AttributeList = std::vector<std::pair<std::string_view, std::string_view>>;

AttributeList attributes_of(const Graph& graph, OpId op) {
  AttributeList set;
  graph.codec().for_each_attribute(graph.encoded(op),
                                   [&](std::string_view key, std::string_view value) {
                                     if (key != "_class") set.emplace_back(key, value);
                                   });
  std::sort(set.begin(), set.end());
  return set;
}

std::uint64_t function_hash(const Graph& graph, OpId op, const AttributeList& attributes,
                            const std::vector<TensorId>& inputs) {
  const std::hash<std::string_view> text;
  std::uint64_t hash = mixed(text(graph.type(op)), text(graph.device(op)));
  for (const auto& [key, value] : attributes) hash = mixed(mixed(hash, text(key)), text(value));
  for (const TensorId input : inputs) {
    hash = mixed(hash, std::uint64_t{input.op.value} << 32U | input.slot);
  }
  return hash;
}

}  // namespace

CarriedValues::CarriedValues(const Graph& original, const Graph& rewritten)
    : original_(original),
      rewritten_(rewritten),
      facts_(OpFactsTable::for_graph(rewritten)),
      added_at_(rewritten.op_count(), kNotAdded) {
  bool any_computes = false;
  for (const OpId op : rewritten.ops()) {
    if (original.find(rewritten.name(op)).valid()) continue;
    added_at_[op.index()] = static_cast<std::uint32_t>(added_.size());
    added_.push_back({op, {}, {}});
    any_computes = any_computes || (!is_identity(op) && can_recompute(rewritten, facts_, op));
  }
  if (any_computes) index_original();
  for (std::uint32_t i = 0; i < added_.size(); ++i) settle(i);
}

bool CarriedValues::can_recompute(const Graph& graph, const OpFactsTable& facts, OpId op) const {
  const OpFacts& about = facts.of(graph, op);
  if (!is_pure(about.kind) || about.is_stateful || !about.reference_inputs.empty() ||
      !about.resource_inputs.empty()) {
    return false;
  }
  for (const TensorId input : graph.inputs(op)) {
    if (facts.of(graph, input.op).kind == OpKind::kVariable) return false;
  }
  return true;
}

// Ops of the original by what they compute, with the ids that they have now.
void CarriedValues::index_original() {
  std::set<std::string_view> types;
  for (const Added& added : added_) types.insert(rewritten_.type(added.op));
  const OpFactsTable facts = OpFactsTable::for_graph(original_);
  for (const OpId op : original_.ops()) {
    if (types.count(original_.type(op)) == 0 || !can_recompute(original_, facts, op)) continue;
    const OpId twin = rewritten_.find(original_.name(op));
    std::vector<TensorId> inputs;
    for (const TensorId input : original_.inputs(op)) {
      inputs.push_back({rewritten_.find(original_.name(input.op)), input.slot});
    }
    const bool all_there = twin.valid() && std::all_of(inputs.begin(), inputs.end(),
                                                       [](TensorId in) { return in.op.valid(); });
    if (!all_there) continue;
    by_function_.emplace(function_hash(original_, op, attributes_of(original_, op), inputs), twin);
  }
}

std::optional<OpId> CarriedValues::recomputed(OpId op) const {
  if (!is_added(op)) return std::nullopt;
  return added_[added_at_[op.index()]].recomputes;
}

TensorId CarriedValues::of(TensorId tensor) const {
  if (!is_added(tensor.op)) return tensor;
  const Added& added = added_[added_at_[tensor.op.index()]];
  if (added.recomputes) return {*added.recomputes, tensor.slot};
  return tensor.slot == 0 && added.carries ? *added.carries : tensor;
}

// Inputs first. A stack of our own: files decide how long a way of added ops is.
void CarriedValues::settle(std::uint32_t first) {
  std::vector<std::uint32_t> stack = {first};
  while (!stack.empty()) {
    Added& added = added_[stack.back()];
    if (added.is_settled) {
      stack.pop_back();
      continue;
    }
    const bool is_second_look = added.is_open;
    added.is_open = true;
    if (!is_second_look) {
      for (const TensorId input : rewritten_.inputs(added.op)) {
        const std::uint32_t at = added_at_[input.op.index()];
        if (at != kNotAdded && !added_[at].is_settled && !added_[at].is_open) stack.push_back(at);
      }
      if (&added_[stack.back()] != &added) continue;
    }
    if (is_identity(added.op)) {
      added.carries = of(rewritten_.inputs(added.op)[0]);
    } else if (can_recompute(rewritten_, facts_, added.op)) {
      added.recomputes = find_twin(added.op);
    }
    added.is_settled = true;
    stack.pop_back();
  }
}

std::optional<OpId> CarriedValues::find_twin(OpId op) const {
  std::vector<TensorId> inputs;
  for (const TensorId input : rewritten_.inputs(op)) {
    inputs.push_back(of(input));
    if (is_added(inputs.back().op)) return std::nullopt;
    if (facts_.of(rewritten_, inputs.back().op).kind == OpKind::kVariable) return std::nullopt;
  }
  const AttributeList attributes = attributes_of(rewritten_, op);
  const auto [first, last] =
      by_function_.equal_range(function_hash(rewritten_, op, attributes, inputs));
  std::optional<OpId> found;
  for (auto candidate = first; candidate != last; ++candidate) {
    const OpId twin = original_.find(rewritten_.name(candidate->second));
    const auto reads = original_.inputs(twin);
    bool is_same = original_.type(twin) == rewritten_.type(op) &&
                   original_.device(twin) == rewritten_.device(op) &&
                   reads.size() == inputs.size() && attributes_of(original_, twin) == attributes;
    for (std::size_t i = 0; is_same && i < reads.size(); ++i) {
      is_same = reads[i].slot == inputs[i].slot &&
                original_.name(reads[i].op) == rewritten_.name(inputs[i].op);
    }
    if (is_same && (!found || candidate->second < *found)) found = candidate->second;
  }
  return found;
}

}  // namespace tideline
