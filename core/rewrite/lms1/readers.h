// Rule 5 of LMS v1, for one tensor: which of its consumers read it from the host.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/lms1/context.h"

namespace tideline::lms1 {

/// The consumers of one tensor that matter, in file order.
struct Readers {
  TensorId tensor;
  std::vector<OpId> swapped;  ///< get a swap-in
  std::vector<OpId> open;     ///< backward ops without an order: what lies behind them is looked at
  [[nodiscard]] bool empty() const { return swapped.empty() && open.empty(); }
};

/// For every output of `source` that has any and that filters or overrides let go, by slot. Cost:
/// O(edges out of the source, log).
[[nodiscard]] std::vector<Readers> readers_of(const Context& context, OpId source);

/// Why `tensor`, whose producer is a source, has nobody who reads it from the host: the first rule
/// that decided. Empty when it has somebody.
[[nodiscard]] std::string why_no_reader(const Context& context, TensorId tensor);

}  // namespace tideline::lms1
