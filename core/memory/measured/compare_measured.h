// The faithful model beside a traced step: how far apart they are, and why.
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

/// Why a buffer is there in the run or in the model alone, or has two sizes.
enum class DifferenceReason : std::uint8_t {
  kTemporary,      ///< scratch memory, or a value kept inside an op: the model has none
  kNotInGraph,     ///< of an op that ran and that the graph does not have
  kExtraOutput,    ///< an output that the op does not have in the graph
  kFreedLater,     ///< the run kept it longer than the model
  kStillRead,      ///< the model frees it with its last reader, which was still running
  kFreedEarlier,   ///< the run released it before the model
  kMadeLater,      ///< the run had not allocated it yet: the op waited, or ran on another thread
  kSharedInModel,  ///< the model puts it into the buffer of an input, the run did not
  kSharedInRun,    ///< the run put it into another buffer, the model does not
  kResident,       ///< the run allocated nothing for it in this step
  kSize,
};
/// "scratch memory that the model does not have", ...
[[nodiscard]] std::string_view difference_reason_text(DifferenceReason reason);

struct MemoryDifference {
  std::uint32_t execution = 0;  ///< index of MeasuredStep::executions
  std::int64_t slot = -1;       ///< of its output; -1 for scratch memory
  Bytes measured = 0;
  Bytes model = 0;
  DifferenceReason reason = DifferenceReason::kTemporary;
};

/// Units: bytes, without what was resident before the step. The model knows the measured sizes, and
/// the scratch memory of ops (MeasuredStep::scratch) only where that is said.
struct MeasuredComparison {
  /// By execution: most that is live in the model while it runs; for one that names no op of the
  /// graph, what is live after the op before it.
  std::vector<Bytes> model;
  Bytes model_peak = 0;
  Bytes model_at_peak = 0;  ///< where the run has its peak
  Bytes model_with_scratch_at_peak = 0;
  Bytes own_order_peak = 0;      ///< of the same executions by complete level, then file order
  std::uint32_t largest_at = 0;  ///< execution with the largest deviation
  std::vector<MemoryDifference> at_peak;     ///< largest first; model_at_peak - measured, in parts
  std::vector<MemoryDifference> at_largest;  ///< the same there
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
