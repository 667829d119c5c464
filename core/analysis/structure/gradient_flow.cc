// Problem: where does the backward pass begin? Its first op produces a tensor of ones that depends
// on nothing, like many constants of the forward pass, and half of the ops after it (Mul, Sum,
// Reshape, MatMul) occur in forward passes as well.
// Idea: everything in a backward pass is linear in its seed: if the seed were zero, all gradients
// would be zero. So compute for every tensor the set of constants in which it is linear: a product
// is linear in the constants of either factor, a sum in the constants that all terms share, a
// gradient op in the constants of its incoming gradient, a ReLU in none. The gradient inputs of
// optimizers and of gradient ops certainly are gradients: the seed is the constant that most of
// them share. Given the seeds, compute which ops are linear in them.
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
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/analysis/producers_first.h"
#include "core/analysis/structure/constant_ops.h"
#include "core/analysis/structure/seed_choice.h"
#include "core/analysis/structure/seed_labels.h"
#include "core/base/text.h"

namespace tideline {
namespace {

// Seeds of backward passes that another backward pass goes through: its gradients depend on them
// without being linear in them, and not the other way round.
std::set<std::uint32_t> inner_seeds(const Graph& graph, std::span<const OpId> order,
                                    const SeedLabels& labels, const std::vector<OpId>& seeds) {
  constexpr std::size_t kMostSeeds = 64;
  std::set<std::uint32_t> inner;
  if (seeds.size() < 2 || seeds.size() > kMostSeeds) return inner;
  std::unordered_map<std::uint32_t, std::uint64_t> bit;
  for (std::size_t i = 0; i < seeds.size(); ++i) bit[seeds[i].value] = std::uint64_t{1} << i;
  std::vector<std::uint64_t> after(graph.op_count());
  std::vector<std::uint64_t> depends_on(seeds.size());
  for (const OpId op : order) {
    std::uint64_t mask = 0;
    for (const TensorId input : graph.inputs(op)) mask |= after[input.op.index()];
    if (const auto own = bit.find(op.value); own != bit.end()) mask |= own->second;
    after[op.index()] = mask;
    if (labels.of(op) == LabelSets::kEverything) continue;
    std::uint64_t carried = 0;
    for (const std::uint32_t member : labels.members(labels.of(op))) {
      if (const auto seed = bit.find(SeedLabels::source_op(member).value); seed != bit.end()) {
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

// Marks what is linear in `seeds`, which the backward passes of this round begin with.
void carry(const Graph& graph, const std::set<std::uint32_t>& seeds, bool inner, SeedLabels& labels,
           GradientFlow& flow) {
  labels.find_joint(seeds);
  const SeedLabels::Id seeded = labels.joint();
  for (const OpId op : graph.ops()) {
    const SeedLabels::Id label = labels.of(op);
    if (label == seeded) {
      flow.of_op[op.index()] = Flow::kCarries;
      flow.is_inner[op.index()] = inner;
    } else if (label == LabelSets::kEverything && !flow.carries(op)) {
      flow.of_op[op.index()] = Flow::kEmpty;
    }
  }
}

bool has_seed(const SeedLabels& labels, SeedLabels::Id id, const std::set<std::uint32_t>& seeds) {
  if (id == LabelSets::kEverything) return true;
  const auto& members = labels.members(id);
  return std::any_of(members.begin(), members.end(), [&](std::uint32_t member) {
    return seeds.contains(SeedLabels::source_op(member).value);
  });
}

}  // namespace

void note_unsettled(const Graph& graph, const GradientFlow& flow, Diagnostics& diagnostics) {
  if (!flow.unsettled.valid()) return;
  diagnostics.add(
      Severity::kNotice, "loops in which gradients were not followed to a fixed point",
      fmt::format("'{}' after {} rounds", printable(graph.name(flow.unsettled)), kMostRounds));
}

GradientFlow find_gradient_flow(const Graph& graph, const OpFactsTable& facts,
                                const StackLinks& stacks) {
  const std::vector<OpId> order = producers_first(graph);
  ConstantOps constants = find_constant_ops(graph, facts, order);
  SeedLabels labels(graph, facts, stacks, constants, order);
  GradientFlow flow;
  for (const auto sources :
       {SeedLabels::Sources::kConstants, SeedLabels::Sources::kConstantsAndFeeds}) {
    labels.find(sources);
    flow.seeds = choose_seeds(graph, facts, labels);
    if (!flow.seeds.empty()) break;
  }
  const std::vector<SeedLabels::Id> own = labels.all();
  const std::set<std::uint32_t> inner = inner_seeds(graph, order, labels, flow.seeds);
  std::set<std::uint32_t> outer;
  for (const OpId seed : flow.seeds) {
    if (!inner.contains(seed.value)) outer.insert(seed.value);
  }
  flow.of_op.resize(graph.op_count());
  flow.mixes_seeds.resize(graph.op_count());
  flow.is_inner.resize(graph.op_count());
  if (!inner.empty()) carry(graph, inner, true, labels, flow);
  if (!flow.seeds.empty()) carry(graph, outer, false, labels, flow);
  for (const OpId op : graph.ops()) {
    flow.mixes_seeds[op.index()] =
        flow.carries(op) && !flow.is_inner[op.index()] && !has_seed(labels, own[op.index()], outer);
  }
  flow.is_constant = std::move(constants.is_constant);
  flow.unsettled = labels.unsettled();
  return flow;
}

}  // namespace tideline
