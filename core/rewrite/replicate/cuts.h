// The tensors that leave the towers for what is kept once: gradients on their way to the optimizer.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/marks.h"
#include "core/rewrite/replicate/options.h"
#include "core/rewrite/replicate/targets.h"

namespace tideline::replicate {

enum class CutKind : std::uint8_t {
  kSum,      ///< dense: the towers' tensors are added
  kRows,     ///< the values of IndexedSlices: concatenated
  kIndices,  ///< the row numbers that go with them: concatenated
  kMean,     ///< what moves a moving average: always the mean
};

/// Input `slot` of `reader`.
struct CutUse {
  OpId reader;
  std::uint32_t slot = 0;
};

struct Cut {
  TensorId tensor;
  CutKind kind = CutKind::kSum;
  std::vector<CutUse> uses;     ///< in file order
  std::vector<OpId> variables;  ///< those that are trained with it, in file order
};

/// What the train op does once for all towers.
struct UpdateRegion {
  std::vector<bool> is_update;  ///< by op
  std::vector<Cut> cuts;        ///< by tensor
  /// Writes of values of the batch that belong to the forward pass: moving averages. By op.
  std::vector<OpId> writers;
};

/// Precondition: there is a train op. Errors: kUnsupported, naming op and rule, for tensors that
/// cannot be aggregated and for a train op that applies no gradients of the batch.
/// Cost: O(ops + edges), and for each cut O(ops of the update behind it).
[[nodiscard]] Result<UpdateRegion> find_update_region(const Context& context, const Marks& marks,
                                                      const Targets& targets);

/// Whether `op` writes a value of the batch that is no gradient.
[[nodiscard]] inline bool writes_of_batch(const Context& context, const Marks& marks, OpId op) {
  return context.is_writer(op) && marks.of_batch[op.index()] && !marks.of_gradient[op.index()];
}

}  // namespace tideline::replicate
