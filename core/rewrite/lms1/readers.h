// Rule 5 of LMS v1: the consumers of a tensor that read it from the host.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/lms1/context.h"

namespace tideline::lms1 {

/// The relevant consumers of one tensor, in file order.
struct Readers {
  TensorId tensor;
  std::vector<OpId> swapped;  ///< consumers that get a swap-in
  std::vector<OpId> open;     ///< backward ops without an order: the search continues after them
  [[nodiscard]] bool empty() const { return swapped.empty() && open.empty(); }
};

/// The readers of every output of `source` that may be swapped and has readers, by slot.
/// Cost: O(n log n) in the edges out of the source.
[[nodiscard]] std::vector<Readers> readers_of(const Context& context, OpId source);

/// Why no consumer of `tensor`, an output of a source, reads it from the host: the first rule that
/// decides. Empty if there is such a consumer.
[[nodiscard]] std::string why_no_reader(const Context& context, TensorId tensor);

}  // namespace tideline::lms1
