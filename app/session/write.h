// Writing what a snapshot shows: the graph, a log, tables, the plan.
#pragma once

#include <string>
#include <vector>

#include "app/session/snapshot.h"
#include "core/base/progress.h"

namespace tideline::session {

enum class WriteKind : std::uint8_t {
  kGraph,  ///< the rewritten graph, in the format that the name asks for
  kLog,    ///< a folder for TensorBoard, with the graph before and after
  kCsv,    ///< the swaps, and beside them the steps (steps_path)
  kPlan,   ///< schema tideline.plan/1
};

struct WriteRequest {
  WriteKind kind = WriteKind::kGraph;
  std::string path;
  bool force = false;  ///< replace what exists, the open file included
};

struct Written {
  std::string text;                ///< "wrote small.meta: 390 ops"
  std::vector<std::string> notes;  ///< what the format could not hold
};

/// Whole or not at all. Errors: those of apply, plan_json's parts and write_outputs;
/// kInvalidArgument for anything but the graph over the open file. Messages begin with the path.
[[nodiscard]] Result<Written> write(const std::shared_ptr<const Snapshot>& snapshot,
                                    const WriteRequest& request, Progress& progress);

/// "a.steps.csv" for "a.csv": the memory of the first device, step by step.
[[nodiscard]] std::string steps_path(const std::string& csv_path);

/// What is written: with all reasons, and what the faithful model says of the first device.
[[nodiscard]] Result<std::string> plan_text(const std::shared_ptr<const Snapshot>& snapshot,
                                            Progress& progress);
[[nodiscard]] std::string swaps_csv(const Snapshot& snapshot);
[[nodiscard]] std::string steps_csv(const Snapshot& snapshot);

}  // namespace tideline::session
