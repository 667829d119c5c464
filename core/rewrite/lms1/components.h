// Strongly connected components of the forward ops; loops form components of several ops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/consumers.h"
#include "core/graph/graph.h"

namespace tideline::lms1 {

/// The strongly connected components of the forward ops under data edges, numbered so that every
/// edge leads to a smaller number. Without loops each op is its own component.
/// Cost: O(ops + edges). Thread: immutable once built.
class Components {
 public:
  /// Ops marked in `is_backward` are left out.
  Components(const Graph& graph, const Consumers& consumers, const std::vector<bool>& is_backward);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Precondition: `op` is a forward op.
  [[nodiscard]] std::uint32_t of(OpId op) const { return component_[op.index()]; }
  /// Components that ops of `component` feed, possibly with duplicates.
  [[nodiscard]] std::span<const std::uint32_t> successors(std::uint32_t component) const {
    return {successors_.data() + first_[component], first_[component + 1] - first_[component]};
  }

 private:
  void find(const Graph& graph, const Consumers& consumers, const std::vector<bool>& is_backward);
  void link(const Graph& graph, const Consumers& consumers, const std::vector<bool>& is_backward);

  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> component_;  // by op
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> successors_;
};

}  // namespace tideline::lms1
