// Problem: where does the backward pass begin? Its first op produces a tensor of ones that depends
// on nothing, like many constants of the forward pass, and half of the ops after it (Mul, Sum,
// Reshape, MatMul) occur in forward passes as well.
// Idea: everything in a backward pass is linear in its seed: if the seed were zero, all gradients
// would be zero. So compute for every tensor the set of constants in which it is linear: for a
// product those of either factor, for a sum those that all terms share, for a gradient op those of
// its incoming gradient, for a ReLU none. The gradient inputs of optimizers and of gradient ops
// certainly are gradients: the seed is the constant that most of them share. Given the seeds,
// compute which ops are linear in them.
//   s = Fill(1); d = Mul(s, y); g = ReluGrad(d, x); w' = MatMul(h, g); ApplyGradientDescent(w, w')
//   {s}          {s}            {s}                 {s}: s is the seed, and these four carry.
// Loops: the sets start with everything and shrink to a fixed point, in at most kMostRounds rounds;
// the zero that initialises an accumulator is ignored.
// Cost: O((ops + edges) x rounds); sets are small and interned.
// Limits: values are not considered. A backward pass through functions (While, PartitionedCall) is
// assumed to be linear. Source: own. Tested by unit/analysis/structure/gradient_flow_test.cc and
// golden/structure_test.cc.
#include "core/analysis/structure/gradient_flow.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/analysis/levels.h"
#include "core/analysis/structure/label_sets.h"
#include "core/base/text.h"
#include "core/graph/verify.h"

namespace tideline {
namespace {

// Kinds whose outputs may differ from step to step or that end a chain of constants.
bool never_constant(OpKind kind) {
  switch (kind) {
    case OpKind::kElementwise:
    case OpKind::kView:
    case OpKind::kShape:
    case OpKind::kLayout:
    case OpKind::kReduce:
    case OpKind::kCompute:
    case OpKind::kGradient:
    case OpKind::kConstant: return false;
    default: return true;
  }
}

class Search {
 public:
  using Id = LabelSets::Id;

  Search(const Graph& graph, const OpFactsTable& facts, const StackLinks& stacks)
      : graph_(graph), facts_(facts), stacks_(stacks), order_(producers_first(graph)) {
    for (const std::string_view type : graph.types()) {
      is_array_gradient_.push_back(type.starts_with("TensorArrayGrad"));
    }
  }

  GradientFlow run() {
    GradientFlow flow;
    find_constants();
    find_accumulators();
    label_all();
    choose_seeds(flow);
    if (flow.seeds.empty()) {
      feeds_count_ = true;  // perhaps the caller feeds the first gradient
      label_all();
      choose_seeds(flow);
    }
    for (const OpId seed : flow.seeds) seeds_.insert(seed.value);
    const std::vector<Id> own = label_;
    const std::set<std::uint32_t> inner = inner_seeds(flow.seeds);
    flow.of_op.resize(graph_.op_count());
    flow.mixes_seeds.resize(graph_.op_count());
    flow.is_inner.resize(graph_.op_count());
    joint_ = true;
    const std::set<std::uint32_t> all = seeds_;
    if (!inner.empty()) {
      seeds_ = inner;
      carry(flow, true);
      std::set<std::uint32_t> outer;
      std::set_difference(all.begin(), all.end(), inner.begin(), inner.end(),
                          std::inserter(outer, outer.end()));
      seeds_ = std::move(outer);
    }
    if (!flow.seeds.empty()) carry(flow, false);
    for (const OpId op : graph_.ops()) {
      flow.mixes_seeds[op.index()] =
          flow.carries(op) && !flow.is_inner[op.index()] && !has_seed(own[op.index()]);
    }
    flow.is_constant = std::move(is_constant_);
    flow.unsettled = unsettled_;
    return flow;
  }

 private:
  static constexpr std::uint32_t kSeed = 0;
  // Among the sources of a set the generated ones (Fill) count more than constants, later ones more
  // than earlier ones.
  static constexpr std::uint32_t kGenerated = 0x80000000U;

  // Marks what is linear in the seeds of this round.
  void carry(GradientFlow& flow, bool inner) {
    label_all();
    const Id seeded = sets_.single(kSeed);
    for (const OpId op : graph_.ops()) {
      const Id label = label_[op.index()];
      if (label == seeded) {
        flow.of_op[op.index()] = Flow::kCarries;
        flow.is_inner[op.index()] = inner;
      } else if (label == LabelSets::kEverything && !flow.carries(op)) {
        flow.of_op[op.index()] = Flow::kEmpty;
      }
    }
  }

  // Seeds of backward passes that another backward pass goes through: its gradients depend on them
  // without being linear in them, and not the other way round.
  [[nodiscard]] std::set<std::uint32_t> inner_seeds(const std::vector<OpId>& seeds) const {
    constexpr std::size_t kMostSeeds = 64;
    std::set<std::uint32_t> inner;
    if (seeds.size() < 2 || seeds.size() > kMostSeeds) return inner;
    std::unordered_map<std::uint32_t, std::uint64_t> bit;
    for (std::size_t i = 0; i < seeds.size(); ++i) bit[seeds[i].value] = std::uint64_t{1} << i;
    std::vector<std::uint64_t> after(graph_.op_count());
    std::vector<std::uint64_t> depends_on(seeds.size());
    for (const OpId op : order_) {
      std::uint64_t mask = 0;
      for (const TensorId input : graph_.inputs(op)) mask |= after[input.op.index()];
      if (const auto own = bit.find(op.value); own != bit.end()) mask |= own->second;
      after[op.index()] = mask;
      if (label_[op.index()] == LabelSets::kEverything) continue;
      std::uint64_t carried = 0;
      for (const std::uint32_t member : sets_.members(label_[op.index()])) {
        if (const auto seed = bit.find(member & ~kGenerated); seed != bit.end()) {
          carried |= seed->second;
        }
      }
      for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (((carried >> i) & 1U) != 0) depends_on[i] |= mask & ~carried;
      }
    }
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      for (std::size_t k = 0; k < seeds.size(); ++k) {
        const bool needs = ((depends_on[k] >> i) & 1U) != 0;
        const bool is_needed = ((depends_on[i] >> k) & 1U) != 0;
        if (needs && !is_needed) inner.insert(seeds[i].value);
      }
    }
    return inner;
  }

  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }
  [[nodiscard]] Id label(TensorId tensor) const { return label_[tensor.op.index()]; }

  void find_constants() {
    is_constant_.resize(graph_.op_count());
    is_fixed_.resize(graph_.op_count());
    for (const OpId op : order_) {
      const auto inputs = graph_.inputs(op);
      const OpKind is = kind(op);
      bool constant = is == OpKind::kConstant;
      if (!constant && !never_constant(is)) {
        constant = true;
        std::uint32_t metadata = 0;
        facts_.for_each_slot(graph_, op, facts(op).metadata_inputs,
                             [&](std::uint32_t slot) { metadata |= slot < 32 ? 1U << slot : 0U; });
        for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
          const bool only_shape = slot < 32 ? ((metadata >> slot) & 1U) != 0 : metadata == ~0U;
          constant = constant && (only_shape || is_constant_[inputs[slot].op.index()]);
        }
        if (inputs.empty()) constant = false;
      }
      is_constant_[op.index()] = constant;
      // Also seen through Enter: what accumulators start with.
      is_fixed_[op.index()] =
          constant || (is == OpKind::kEnter && !inputs.empty() && is_fixed_[inputs[0].op.index()]);
    }
  }

  [[nodiscard]] OpId behind_plain_views(OpId op) const {
    for (int steps = 0; steps < 8 && kind(op) == OpKind::kView && !graph_.inputs(op).empty();
         ++steps) {
      op = graph_.inputs(op)[0].op;
    }
    return op;
  }

  // A Merge whose next value is its own value plus something: it starts with zeros.
  void find_accumulators() {
    is_accumulator_.resize(graph_.op_count());
    for (const OpId op : graph_.ops()) {
      if (kind(op) != OpKind::kMerge) continue;
      for (const TensorId input : graph_.inputs(op)) {
        if (kind(input.op) != OpKind::kNextIteration || graph_.inputs(input.op).empty()) continue;
        has_loops_ = true;
        const OpId sum = behind_plain_views(graph_.inputs(input.op)[0].op);
        const std::string_view type = graph_.type(sum);
        if (type != "Add" && type != "AddV2" && type != "AddN") continue;
        for (const TensorId term : graph_.inputs(sum)) {
          const OpId from = behind_plain_views(term.op);
          if (kind(from) == OpKind::kSwitch && !graph_.inputs(from).empty() &&
              graph_.inputs(from)[0].op == op) {
            is_accumulator_[op.index()] = true;
          }
        }
      }
    }
  }

  void label_all() {
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

  Id source(OpId op) {
    if (joint_) return seeds_.contains(op.value) ? sets_.single(kSeed) : LabelSets::kNothing;
    const bool generated = facts(op).is_source;
    return sets_.single(op.value | (generated ? kGenerated : 0U));
  }

  Id common_of(OpId op, const Arguments& arguments, bool skip_constants) {
    Id all = LabelSets::kEverything;
    bool any = false;
    facts_.for_each_slot(graph_, op, arguments, [&](std::uint32_t slot) {
      const TensorId input = graph_.inputs(op)[slot];
      if (skip_constants && is_constant_[input.op.index()]) return;
      any = true;
      all = sets_.common(all, label(input));
    });
    if (!any) return skip_constants ? common_of(op, arguments, false) : LabelSets::kNothing;
    return all;
  }

  Id label_of_merge(OpId op) {
    const auto inputs = graph_.inputs(op);
    const bool is_loop = std::any_of(inputs.begin(), inputs.end(), [&](TensorId input) {
      return kind(input.op) == OpKind::kNextIteration;
    });
    Id all = LabelSets::kEverything;
    bool any = false;
    for (const TensorId input : inputs) {
      const bool next = kind(input.op) == OpKind::kNextIteration;
      // Zeros stand in for the branch that was not taken, and begin what is summed up.
      if (is_loop ? is_accumulator_[op.index()] && !next : is_fixed_[input.op.index()]) continue;
      any = true;
      all = sets_.common(all, label(input));
    }
    if (any) return all;
    for (const TensorId input : inputs) all = sets_.common(all, label(input));
    return all;
  }

  Id label_of_view(OpId op) {
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

  Id label_of(OpId op) {
    const OpFacts& known = facts(op);
    const auto inputs = graph_.inputs(op);
    if (known.kind == OpKind::kConstant || known.is_source) return source(op);
    if (feeds_count_ && known.kind == OpKind::kPlaceholder && inputs.empty()) return source(op);
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
        for (const TensorId input : inputs) all = sets_.any(all, label(input));
        return all;
      }
      default: break;
    }
    if (known.linear.empty()) return LabelSets::kNothing;
    return common_of(op, known.linear, known.is_pick);
  }

  Id label_of_product(OpId op) {
    Id all = LabelSets::kNothing;
    facts_.for_each_slot(graph_, op, facts(op).bilinear, [&](std::uint32_t slot) {
      all = sets_.either(all, label(graph_.inputs(op)[slot]));
    });
    return all;
  }

  [[nodiscard]] bool has_seed(Id id) const {
    if (id == LabelSets::kEverything) return true;
    const auto& members = sets_.members(id);
    return std::any_of(members.begin(), members.end(),
                       [&](std::uint32_t member) { return seeds_.contains(member & ~kGenerated); });
  }

  // The labels of tensors that certainly are gradients.
  std::vector<Id> gradient_labels() {
    std::vector<bool> seen(graph_.op_count());
    std::vector<Id> labels;
    for (const OpId op : graph_.ops()) {
      const OpKind is = kind(op);
      if (is != OpKind::kGradient && is != OpKind::kUpdate) continue;
      facts_.for_each_slot(graph_, op, facts(op).gradients, [&](std::uint32_t slot) {
        const OpId from = graph_.inputs(op)[slot].op;
        const Id id = label_[from.index()];
        if (seen[from.index()] || id == LabelSets::kEverything || id == LabelSets::kNothing) return;
        seen[from.index()] = true;
        labels.push_back(id);
      });
    }
    if (labels.empty()) labels = labels_behind_sums();
    return labels;
  }

  // Without gradient ops, and with something added to every gradient (weight decay) or cut off:
  // what goes into the optimizers' gradients, a few ops back.
  std::vector<Id> labels_behind_sums() {
    constexpr std::size_t kMostOps = 16;
    std::vector<Id> labels;
    std::vector<OpId> seen;
    for (const OpId op : graph_.ops()) {
      if (kind(op) != OpKind::kUpdate) continue;
      seen.clear();
      facts_.for_each_slot(graph_, op, facts(op).gradients,
                           [&](std::uint32_t slot) { seen.push_back(graph_.inputs(op)[slot].op); });
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const Id id = label_[seen[i].index()];
        if (id != LabelSets::kNothing && id != LabelSets::kEverything) labels.push_back(id);
        if (id != LabelSets::kNothing || kind(seen[i]) != OpKind::kElementwise) continue;
        for (const TensorId input : graph_.inputs(seen[i])) {
          if (seen.size() < kMostOps) seen.push_back(input.op);
        }
      }
    }
    // What was added is a multiple of a constant; the seed is mostly generated.
    const auto generated = [&](Id id) { return (sets_.members(id).back() & kGenerated) != 0; };
    if (std::any_of(labels.begin(), labels.end(), generated)) {
      std::erase_if(labels, [&](Id id) { return !generated(id); });
    }
    return labels;
  }

  // Greedy cover: the source shared by most gradients, then by most of the remaining ones, and so
  // on.
  void choose_seeds(GradientFlow& flow) {
    const std::vector<Id> labels = gradient_labels();
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> gradients_of;
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
      for (const std::uint32_t member : sets_.members(labels[i])) gradients_of[member].push_back(i);
    }
    std::set<std::pair<std::size_t, std::uint32_t>, std::greater<>> best;
    std::unordered_map<std::uint32_t, std::size_t> count;
    for (const auto& [member, gradients] : gradients_of) {
      best.emplace(gradients.size(), member);
      count[member] = gradients.size();
    }
    std::vector<bool> covered(labels.size());
    std::set<std::uint32_t> chosen;
    while (!best.empty() && best.begin()->first > 0) {
      const std::uint32_t member = best.begin()->second;
      flow.seeds.push_back(OpId{member & ~kGenerated});
      chosen.insert(member);
      for (const std::uint32_t i : gradients_of[member]) {
        if (covered[i]) continue;
        covered[i] = true;
        for (const std::uint32_t other : sets_.members(labels[i])) {
          best.erase({count[other], other});
          best.emplace(--count[other], other);
        }
      }
    }
    add_seeds_of_scatters(flow, chosen);
  }

  // Steps that are written as ScatterSub or AssignSub: only a generated source counts there,
  // because moving averages are multiples of a constant too.
  void add_seeds_of_scatters(GradientFlow& flow, std::set<std::uint32_t>& chosen) {
    for (const OpId op : graph_.ops()) {
      if (kind(op) != OpKind::kAssign || !facts(op).value) continue;
      const std::string_view type = graph_.type(op);
      if (type.ends_with("Update") || type == "Assign" || type == "AssignVariableOp") continue;
      const Id id = common_of(op, {*facts(op).value}, false);
      if (id == LabelSets::kEverything || id == LabelSets::kNothing) continue;
      const auto& members = sets_.members(id);
      const bool known = std::any_of(members.begin(), members.end(),
                                     [&](std::uint32_t member) { return chosen.contains(member); });
      if (known || (members.back() & kGenerated) == 0) continue;
      chosen.insert(members.back());
      flow.seeds.push_back(OpId{members.back() & ~kGenerated});
    }
  }

  const Graph& graph_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  std::vector<OpId> order_;
  std::vector<bool> is_array_gradient_;  // by type id
  std::vector<bool> is_constant_;
  std::vector<bool> is_fixed_;
  std::vector<bool> is_accumulator_;
  bool has_loops_ = false;
  OpId unsettled_;
  bool joint_ = false;        // whether only the seeds count, all as one
  bool feeds_count_ = false;  // whether placeholders are sources too
  std::set<std::uint32_t> seeds_;
  LabelSets sets_;
  std::vector<Id> label_;
};

}  // namespace

void note_unsettled(const Graph& graph, const GradientFlow& flow, Diagnostics& diagnostics) {
  if (!flow.unsettled.valid()) return;
  diagnostics.add(
      Severity::kNotice, "loops in which gradients were not followed to a fixed point",
      fmt::format("'{}' after {} rounds", printable(graph.name(flow.unsettled)), kMostRounds));
}

std::vector<OpId> producers_first(const Graph& graph) {
  std::vector<OpId> order;
  order.reserve(graph.op_count());
  const LoopTypes loops(graph);
  bool ordered = true;
  for (const OpId op : graph.ops()) {
    for (const TensorId input : graph.inputs(op)) {
      ordered = ordered && (input.op < op || loops.is_back_edge(graph, input.op, op));
    }
    order.push_back(op);
  }
  if (ordered) return order;
  order.clear();
  const LevelMap levels = complete_levels(graph);
  for (std::int32_t level = 0; level < levels.count(); ++level) {
    for (const OpId op : levels.ops(level)) order.push_back(op);
  }
  return order;
}

GradientFlow find_gradient_flow(const Graph& graph, const OpFactsTable& facts,
                                const StackLinks& stacks) {
  return Search(graph, facts, stacks).run();
}

}  // namespace tideline
