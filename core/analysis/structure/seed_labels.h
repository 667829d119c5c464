// In which constants the values of a graph are linear.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core/analysis/structure/constant_ops.h"
#include "core/analysis/structure/label_sets.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// A label for each op: the set of sources in which its outputs are linear together. Everything
/// that is passed in must outlive this. Thread: not shared.
class SeedLabels {
 public:
  using Id = LabelSets::Id;
  enum class Sources : std::uint8_t {
    kConstants,          ///< constants, and what makes a tensor of one value
    kConstantsAndFeeds,  ///< and what is fed: perhaps the caller feeds the first gradient
  };
  /// A member of a set is an op's number; of a generated source (Fill) with this bit, for among the
  /// sources of a set these count more than constants, and later ones more than earlier ones.
  static constexpr std::uint32_t kGenerated = 0x80000000U;
  [[nodiscard]] static OpId source_op(std::uint32_t member) { return OpId{member & ~kGenerated}; }

  /// `order`: all ops, producers first.
  SeedLabels(const Graph& graph, const OpFactsTable& facts, const StackLinks& stacks,
             const ConstantOps& constants, std::span<const OpId> order);

  /// Labels all ops anew. Cost: O((ops + edges) x rounds), at most kMostRounds.
  void find(Sources sources);
  /// The same with `seeds`, numbers of ops, as the only sources, all of them one.
  void find_joint(const std::set<std::uint32_t>& seeds);

  [[nodiscard]] Id of(OpId op) const { return label_[op.index()]; }
  [[nodiscard]] const std::vector<Id>& all() const { return label_; }
  /// As LabelSets::members.
  [[nodiscard]] const std::vector<std::uint32_t>& members(Id id) const { return sets_.members(id); }
  /// The label of what is linear in the seeds of find_joint.
  [[nodiscard]] Id joint() { return sets_.single(kSeed); }
  /// The sources that the inputs of `op` in `arguments` share, constant ones left out or not.
  [[nodiscard]] Id common_of(OpId op, const Arguments& arguments, bool skip_constants);
  /// An op whose label was still changing after kMostRounds; invalid: none was.
  [[nodiscard]] OpId unsettled() const { return unsettled_; }

 private:
  static constexpr std::uint32_t kSeed = 0;

  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }
  [[nodiscard]] Id label(TensorId tensor) const { return label_[tensor.op.index()]; }
  [[nodiscard]] bool accumulates(OpId merge) const;
  void find_loops();
  void find_zero_arguments();
  [[nodiscard]] bool is_zero(OpId op) const;
  void label_all();
  Id source(OpId op);
  Id label_of_merge(OpId op);
  Id label_of_view(OpId op);
  Id label_of(OpId op);
  Id label_of_product(OpId op);

  const Graph& graph_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  const ConstantOps& constants_;
  std::span<const OpId> order_;
  std::vector<bool> is_array_gradient_;  // by type id
  // By op: whether it is the Merge of a backward loop that sums up the gradient of a loop-invariant
  // input, which starts with zeros.
  std::vector<bool> is_accumulator_;
  // By op: an argument of a call that is zero in every step: linear in everything, so no seed.
  std::vector<bool> is_zero_argument_;
  bool has_loops_ = false;
  OpId unsettled_;
  Sources sources_ = Sources::kConstants;
  const std::set<std::uint32_t>* joint_ = nullptr;  // during find_joint
  LabelSets sets_;
  std::vector<Id> label_;
};

}  // namespace tideline
