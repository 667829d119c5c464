// Writes the contents of a snapshot: the graph, a log, tables, the plan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/engine/snapshot.h"
#include "app/engine/step_log.h"
#include "core/base/progress.h"

namespace tideline::app {

enum class WriteKind : std::uint8_t {
  kGraph,  ///< the rewritten graph, in the format that the name implies
  kLog,    ///< a folder for TensorBoard, with the graph before and after
  kCsv,    ///< the swaps and, in a second file, the steps (steps_path)
  kPlan,   ///< schema tideline.plan/1
};

struct WriteRequest {
  WriteKind kind = WriteKind::kGraph;
  std::string path;
  bool force = false;     ///< replace what exists, the open file included
  DrawPng draw_png = {};  ///< for the pictures of a log; empty where none can be drawn
};

struct Written {
  std::string text;                ///< "wrote small.meta: 390 ops"
  std::vector<std::string> notes;  ///< what the format could not represent, and warnings
};

/// A log for TensorBoard before its pictures are drawn, which is for another thread (DrawPng).
struct PreparedLog {
  std::shared_ptr<const Snapshot> snapshot;
  Graph rewritten;
  StepLogs steps;
};
/// The first half of writing a log: everything but pictures and files. Errors: as `write`.
[[nodiscard]] Result<PreparedLog> prepare_log(const std::shared_ptr<const Snapshot>& snapshot,
                                              const WriteRequest& request, Progress& progress);
/// The second half. Errors: as `write`.
[[nodiscard]] Result<Written> write_log(const PreparedLog& log, const WriteRequest& request,
                                        Progress& progress);

/// Writes the outputs, completely or not at all; a log without pictures. Errors: those of apply,
/// plan_json's parts and write_outputs; kInvalidArgument when anything but the graph would replace
/// the open file. Messages begin with the path.
[[nodiscard]] Result<Written> write(const std::shared_ptr<const Snapshot>& snapshot,
                                    const WriteRequest& request, Progress& progress);

/// The file for the memory of the first device, step by step: "a.steps.csv" for "a.csv".
[[nodiscard]] std::string steps_path(const std::string& csv_path);

/// The plan as written: with all reasons, and the faithful model's prediction for the first device.
/// Errors: those of Reasons::find. Cost: that of a plan.
[[nodiscard]] Result<std::string> plan_text(const std::shared_ptr<const Snapshot>& snapshot,
                                            Progress& progress);
[[nodiscard]] std::string swaps_csv(const Snapshot& snapshot);
[[nodiscard]] std::string steps_csv(const Snapshot& snapshot);

}  // namespace tideline::app
