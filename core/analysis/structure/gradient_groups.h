// The groups of Identity ops that TensorFlow 1 puts at the end of a forward op's gradient.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "core/analysis/structure/backward_reads.h"
#include "core/analysis/structure/forward_walks.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Finds the forward op of a group by majority vote of its members. Everything passed in must
/// outlive this. `owners` may grow between calls; results are cached. Thread: not shared.
class GradientGroups {
 public:
  GradientGroups(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
                 const BackwardReads& reads, const ForwardWalks& walks,
                 const std::vector<OpId>& owners)
      : graph_(graph),
        consumers_(consumers),
        facts_(facts),
        reads_(reads),
        walks_(walks),
        owners_(owners) {}

  /// The forward op of `op`, a member of a group; `near` are the candidates.
  [[nodiscard]] OpId owner_of(OpId op, const std::vector<ForwardWalks::Near>& near);

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }
  [[nodiscard]] OpId owner(OpId op) const { return owners_[op.index()]; }
  [[nodiscard]] OpId owner_of_group(OpId op, OpId group,
                                    const std::vector<ForwardWalks::Near>& near) const;
  [[nodiscard]] bool is_incoming(OpId part, std::span<const OpId> parts, OpId group) const;
  [[nodiscard]] bool leads_to(OpId from, OpId to) const;

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const BackwardReads& reads_;
  const ForwardWalks& walks_;
  const std::vector<OpId>& owners_;
  std::unordered_map<std::uint32_t, OpId> group_owner_;
};

}  // namespace tideline
