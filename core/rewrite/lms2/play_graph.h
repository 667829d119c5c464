// The input of the play of LMS v2: a graph and its filters, flattened to arrays of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/base/units.h"

namespace tideline::lms2 {

inline constexpr std::uint32_t kNoIndex = 0xffffffffU;
/// The step of an op that never runs in the play.
inline constexpr std::uint32_t kNeverRuns = 0xfffffffeU;

/// A tensor that the play may allocate.
struct PlayTensor {
  TensorId tensor;
  Bytes bytes = 0;
  std::uint32_t consumers = 0;         ///< distinct ones on any device
  std::uint32_t device_consumers = 0;  ///< distinct active device ops
};

/// A distinct tensor that a step reads.
struct PlayInput {
  std::uint32_t tensor = kNoIndex;
  std::uint32_t consumer = kNoIndex;  ///< index of PlayGraph::consumers; kNoIndex: never swapped
};

/// A distinct consumer of a tensor that may be swapped.
struct PlayConsumer {
  std::int32_t distance = 0;  ///< level(consumer) - level(producer)
  std::int32_t level = -1;
  std::uint32_t step = kNoIndex;         ///< the step at which it runs, or kNeverRuns
  std::uint32_t destination = kNoIndex;  ///< index of PlayGraph::destinations
  /// The latest step of its other data producers that are active device ops; kNoIndex if none.
  std::uint32_t last_input_step = kNoIndex;
  bool may_swap = false;   ///< passes the input filters
  bool is_forced = false;  ///< swapped regardless of the threshold
  bool counts = false;     ///< is an active device op
};

/// A tensor of rank 2 or more whose producer passes the output filters, with its consumers by
/// level, then file order.
struct PlaySwappable {
  std::uint32_t tensor = kNoIndex;
  std::uint32_t first_consumer = 0;
  std::uint32_t consumer_count = 0;
  int own_ahead = 0;  ///< instead of the parameter of the play; 0: none
};

/// An op that runs: an active device op other than a trainable variable.
struct PlayStep {
  OpId op;
  std::int32_t level = 0;
  std::uint32_t first_input = 0, input_count = 0;
  std::uint32_t first_output = 0, output_count = 0;
  std::uint32_t first_swappable = 0, swappable_count = 0;
  std::uint32_t host_ops_before = 0;  ///< number of host ops between the previous step and this
  bool level_begins = false;          ///< whether a level begins between them
};

/// An op with a level, for the search of triggers. Ranks are in order of level, then file order.
struct PlayRank {
  std::int32_t level = 0;
  std::uint32_t step = kNeverRuns;
  bool may_trigger = false;
};

/// Invariants: steps are sorted by level, then file order; indices refer to the arrays below.
struct PlayGraph {
  std::int32_t levels = 0;
  std::vector<PlayStep> steps;
  std::vector<PlayTensor> tensors;
  std::vector<PlayInput> inputs;
  std::vector<std::uint32_t> outputs;  ///< tensors that have device consumers
  std::vector<PlaySwappable> swappables;
  std::vector<int> own_aheads;  ///< of the swappables, each value once
  std::vector<PlayConsumer> consumers;
  std::vector<PlayRank> ranks;
  std::vector<std::uint32_t> first_rank_input;  ///< by rank, with one element more at the end
  std::vector<std::uint32_t> rank_inputs;       ///< ranks of data producers of lower level
  std::vector<std::uint32_t> destinations;      ///< ranks of ops that may read a swap-in, ascending
  Bytes largest_need = 0;                       ///< most bytes that one step reads and writes

  [[nodiscard]] std::span<const PlayInput> inputs_of(const PlayStep& step) const {
    return {inputs.data() + step.first_input, step.input_count};
  }
  [[nodiscard]] std::span<const std::uint32_t> outputs_of(const PlayStep& step) const {
    return {outputs.data() + step.first_output, step.output_count};
  }
  [[nodiscard]] std::span<const PlaySwappable> swappables_of(const PlayStep& step) const {
    return {swappables.data() + step.first_swappable, step.swappable_count};
  }
  [[nodiscard]] std::span<const PlayConsumer> consumers_of(const PlaySwappable& swappable) const {
    return {consumers.data() + swappable.first_consumer, swappable.consumer_count};
  }
  [[nodiscard]] std::span<const std::uint32_t> inputs_of_rank(std::uint32_t rank) const {
    return {rank_inputs.data() + first_rank_input[rank],
            first_rank_input[rank + 1] - first_rank_input[rank]};
  }
};

}  // namespace tideline::lms2
