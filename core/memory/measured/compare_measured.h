// Comparison of the faithful model with a traced step: the deviation, split into its causes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"
#include "core/graph/step_trace.h"
#include "core/memory/measured/measured_step.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Why a buffer exists only in the run or only in the model, or differs in size.
enum class DifferenceReason : std::uint8_t {
  kTemporary,      ///< scratch memory, or a value kept inside an op; not in the model
  kNotInGraph,     ///< of an executed op that is not in the graph
  kExtraOutput,    ///< an output that the op does not have in the graph
  kFreedLater,     ///< the run kept it longer than the model
  kStillRead,      ///< the model frees it with its last reader, which was still running
  kFreedEarlier,   ///< the run released it before the model
  kMadeLater,      ///< not yet allocated in the run: the op waited, or ran on another thread
  kSharedInModel,  ///< the model reuses the buffer of an input, the run did not
  kSharedInRun,    ///< the run reused another buffer, the model does not
  kResident,       ///< the run allocated nothing for it in this step
  kSize,
};
/// For output: "scratch memory that the model does not have", ...
[[nodiscard]] std::string_view difference_reason_text(DifferenceReason reason);

struct MemoryDifference {
  std::uint32_t execution = 0;  ///< index of MeasuredStep::executions
  std::int64_t slot = -1;       ///< of its output; -1 for scratch memory
  Bytes measured = 0;
  Bytes model = 0;
  DifferenceReason reason = DifferenceReason::kTemporary;
};

/// Units: bytes, without what was resident before the step. The model uses the measured sizes;
/// scratch memory (MeasuredStep::scratch) is included only in members named `with_scratch`.
struct MeasuredComparison {
  /// By execution: bytes live in the model while it runs; for one that names no op of the graph,
  /// bytes live after the op before it.
  std::vector<Bytes> model;
  Bytes model_peak = 0;
  Bytes model_at_peak = 0;  ///< at the execution where the run has its peak
  Bytes model_with_scratch_at_peak = 0;
  Bytes own_order_peak = 0;      ///< of the same executions by complete level, then file order
  std::uint32_t largest_at = 0;  ///< execution with the largest deviation
  std::vector<MemoryDifference> at_peak;     ///< parts of model_at_peak - peak, largest first
  std::vector<MemoryDifference> at_largest;  ///< the same at `largest_at`
};

/// Runs the faithful model on the executions (executed_step.h) and compares. Cost: as executed_step
/// and simulate_step, twice. Thread: pure.
[[nodiscard]] MeasuredComparison compare_with_model(const Graph& graph, const StepGraph& step,
                                                    const OpFactsTable& facts,
                                                    const StepTrace& trace,
                                                    const MeasuredStep& measured);

/// |a - b| / b; 0 when both are 0.
[[nodiscard]] double deviation(Bytes a, Bytes b);

}  // namespace tideline
