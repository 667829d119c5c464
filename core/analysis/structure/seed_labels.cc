// The labels of the essay in gradient_flow.cc: in which sources each value is linear.
#include "core/analysis/structure/seed_labels.h"

#include <algorithm>

#include "core/analysis/structure/gradient_flow.h"
#include "core/graph/walks.h"

namespace tideline {

SeedLabels::SeedLabels(const Graph& graph, const OpFactsTable& facts, const StackLinks& stacks,
                       const ConstantOps& constants, std::span<const OpId> order)
    : graph_(graph),
      facts_(facts),
      stacks_(stacks),
      constants_(constants),
      order_(order),
      is_accumulator_(graph.op_count()) {
  for (const std::string_view type : graph.types()) {
    is_array_gradient_.push_back(type.starts_with("TensorArrayGrad"));
  }
  find_loops();
  find_zero_arguments();
}

void SeedLabels::find(Sources sources) {
  sources_ = sources;
  joint_ = nullptr;
  label_all();
}

void SeedLabels::find_joint(const std::set<std::uint32_t>& seeds) {
  joint_ = &seeds;
  label_all();
  joint_ = nullptr;
}

// The pattern Merge -> Switch -> Add(Switch:1, gradient) -> NextIteration -> Merge.
bool SeedLabels::accumulates(OpId merge) const {
  const auto behind_copies = [&](TensorId tensor) {
    constexpr std::uint32_t kMostSteps = 8;  // what TensorFlow puts between the ops of such a loop
    return source_of_value(graph_, {tensor.op, 0}, kMostSteps,
                           [&](OpId at) { return kind(at) == OpKind::kView; })
        .op;
  };
  for (const TensorId input : graph_.inputs(merge)) {
    if (kind(input.op) != OpKind::kNextIteration || graph_.inputs(input.op).empty()) continue;
    const OpId sum = behind_copies(graph_.inputs(input.op)[0]);
    const std::string_view type = graph_.type(sum);
    if (type != "Add" && type != "AddV2" && type != "AddN") continue;
    for (const TensorId term : graph_.inputs(sum)) {
      const OpId from = behind_copies(term);
      if (kind(from) == OpKind::kSwitch && !graph_.inputs(from).empty() &&
          graph_.inputs(from)[0].op == merge) {
        return true;
      }
    }
  }
  return false;
}

void SeedLabels::find_loops() {
  for (const OpId op : graph_.ops()) {
    if (kind(op) != OpKind::kMerge) continue;
    is_accumulator_[op.index()] = accumulates(op);
    for (const TensorId input : graph_.inputs(op)) {
      has_loops_ = has_loops_ ||
                   (kind(input.op) == OpKind::kNextIteration && !graph_.inputs(input.op).empty());
    }
  }
}

// A constant of zeros, as a number or spread over a shape.
bool SeedLabels::is_zero(OpId op) const {
  constexpr std::size_t kMostElements = 4096;
  const auto inputs = graph_.inputs(op);
  if (facts(op).is_source && inputs.size() == 2) op = inputs[1].op;  // Fill
  if (kind(op) != OpKind::kConstant) return false;
  const auto value = graph_.attribute(op, "value");
  if (!value || !*value) return false;
  const auto content = graph_.codec().tensor_content((*value)->encoded, kMostElements);
  if (!content || !*content || !(*content)->elements) return false;
  const auto& elements = *(*content)->elements;
  return std::all_of(elements.begin(), elements.end(), [](std::int64_t one) { return one == 0; });
}

// The first states of a recurrent network are zeros and go into its call.
void SeedLabels::find_zero_arguments() {
  for (const OpId op : graph_.ops()) {
    if (kind(op) != OpKind::kCall) continue;
    if (is_zero_argument_.empty()) is_zero_argument_.resize(graph_.op_count());
    for (const TensorId input : graph_.inputs(op)) {
      if (!is_zero_argument_[input.op.index()])
        is_zero_argument_[input.op.index()] = is_zero(input.op);
    }
  }
}

void SeedLabels::label_all() {
  label_.assign(graph_.op_count(), LabelSets::kEverything);
  OpId changed;
  for (int round = 0; round < kMostRounds; ++round) {
    changed = OpId();
    for (const OpId op : order_) {
      const Id now = label_of(op);
      if (now != label_[op.index()] && !changed.valid()) changed = op;
      label_[op.index()] = now;
    }
    // Without loops one round suffices.
    if (!has_loops_ && !stacks_.any()) return;
    if (!changed.valid()) return;
  }
  unsettled_ = changed;
}

SeedLabels::Id SeedLabels::source(OpId op) {
  if (joint_ != nullptr)
    return joint_->contains(op.value) ? sets_.single(kSeed) : LabelSets::kNothing;
  const bool generated = facts(op).is_source;
  return sets_.single(op.value | (generated ? kGenerated : 0U));
}

SeedLabels::Id SeedLabels::common_of(OpId op, const Arguments& arguments, bool skip_constants) {
  Id all = LabelSets::kEverything;
  bool any = false;
  facts_.for_each_slot(graph_, op, arguments, [&](std::uint32_t slot) {
    const TensorId input = graph_.inputs(op)[slot];
    if (skip_constants && constants_.is_constant[input.op.index()]) return;
    any = true;
    all = sets_.common(all, label(input));
  });
  if (!any) return skip_constants ? common_of(op, arguments, false) : LabelSets::kNothing;
  return all;
}

SeedLabels::Id SeedLabels::label_of_merge(OpId op) {
  const auto inputs = graph_.inputs(op);
  const bool is_loop = std::any_of(inputs.begin(), inputs.end(), [&](TensorId input) {
    return kind(input.op) == OpKind::kNextIteration;
  });
  Id all = LabelSets::kEverything;
  bool any = false;
  for (const TensorId input : inputs) {
    const bool next = kind(input.op) == OpKind::kNextIteration;
    // Zeros stand in for the branch that was not taken, and begin what is summed up.
    if (is_loop ? is_accumulator_[op.index()] && !next : constants_.is_fixed[input.op.index()])
      continue;
    any = true;
    all = sets_.common(all, label(input));
  }
  if (any) return all;
  for (const TensorId input : inputs) all = sets_.common(all, label(input));
  return all;
}

SeedLabels::Id SeedLabels::label_of_view(OpId op) {
  const auto inputs = graph_.inputs(op);
  Id all = inputs.empty() ? LabelSets::kNothing : LabelSets::kEverything;
  for (const TensorId input : inputs) {
    all = sets_.common(all, label(input));
    if (kind(op) == OpKind::kSwitch) break;  // the other input is the predicate
  }
  // The flow of a tensor array's gradient begins with the flow of the array itself.
  if (all == LabelSets::kNothing) {
    for (const OpId before : graph_.control_inputs(op)) {
      if (is_array_gradient_[graph_.type_id(before)]) return LabelSets::kEverything;
    }
  }
  return all;
}

SeedLabels::Id SeedLabels::label_of(OpId op) {
  const OpFacts& known = facts(op);
  const auto inputs = graph_.inputs(op);
  if (known.kind == OpKind::kConstant || known.is_source) return source(op);
  if (sources_ == Sources::kConstantsAndFeeds && known.kind == OpKind::kPlaceholder &&
      inputs.empty())
    return source(op);
  if (known.is_empty) return LabelSets::kEverything;
  if (!known.bilinear.empty()) return label_of_product(op);
  if (const std::uint32_t stack = stacks_.stack_of(op); stack != StackLinks::kNone) {
    if (known.value) return common_of(op, {*known.value}, false);
    Id all = LabelSets::kEverything;
    for (const OpId push : stacks_.pushes(stack)) all = sets_.common(all, label_[push.index()]);
    return stacks_.pushes(stack).empty() ? LabelSets::kNothing : all;
  }
  switch (known.kind) {
    case OpKind::kGradient: return common_of(op, known.gradients, false);
    case OpKind::kMerge: return label_of_merge(op);
    case OpKind::kView:
      if (!known.linear.empty()) return common_of(op, known.linear, false);
      return label_of_view(op);
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kNextIteration:
    case OpKind::kSwitch: return label_of_view(op);
    case OpKind::kCall: {
      Id all = LabelSets::kNothing;
      for (const TensorId input : inputs) {
        if (!is_zero_argument_[input.op.index()]) all = sets_.any(all, label(input));
      }
      return all;
    }
    default: break;
  }
  if (known.linear.empty()) return LabelSets::kNothing;
  return common_of(op, known.linear, known.is_pick);
}

SeedLabels::Id SeedLabels::label_of_product(OpId op) {
  Id all = LabelSets::kNothing;
  facts_.for_each_slot(graph_, op, facts(op).bilinear, [&](std::uint32_t slot) {
    all = sets_.either(all, label(graph_.inputs(op)[slot]));
  });
  return all;
}

}  // namespace tideline
