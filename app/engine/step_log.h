// A simulated step of a graph as TensorBoard's pages show it: curves, a histogram, a picture,
// parameters, and run metadata by which the Graphs page colours ops.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/opened_graph.h"
#include "app/engine/snapshot.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/graph_log.h"
#include "core/events/summary_writer.h"
#include "core/memory/device_profile.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"

namespace tideline::app {

/// Calls `draw` with a canvas of `width` x `height` pixels; returns the bytes of a PNG file. Empty
/// where pictures cannot be drawn. Thread: only the one that draws windows, if there is one.
using DrawPng =
    std::function<Result<std::string>(int width, int height, float scale, render::ThemeKind theme,
                                      const std::function<void(render::Canvas& canvas)>& draw)>;

/// How the steps of a log are simulated, and what is said of them.
struct StepLogOptions {
  OpenRequest request = {};  ///< sizes and fetches
  MeasuredRunPtr measured = {};
  DeviceProfile profile = {};
  std::vector<events::Hparam> parameters = {};  ///< of the rewritten run
  std::optional<Cycle> cycle = {};              ///< of the plan that gives the rewritten graph
};

/// The encoded events about the step of a graph without a policy, as the faithful model simulates
/// it for the graph's first device: peaks, bytes moved, levels and time as scalars at step 0;
/// memory over levels as scalars (the step is the level); the distances of edges as a histogram;
/// the parameters as text and as hyperparameters; and RunMetadata with memory and times of all ops,
/// under kSimulatedTag. All times are constants. Thread: pure.
[[nodiscard]] std::vector<std::string> step_events(const Snapshot& snapshot,
                                                   const std::vector<events::Hparam>& parameters);

inline constexpr const char* kSimulatedTag = "simulated step";

/// The events of both runs of the log of a rewrite.
struct StepLogs {
  events::GraphLogEvents runs;
  std::vector<std::string> notes;  ///< what is left out, and why
  /// Of the graphs that could be simulated, for pictures.
  std::shared_ptr<const Snapshot> original, rewritten;
};
/// Simulates the graph of `source` and `rewritten`, an edit of it. A graph that cannot be simulated
/// is a note: its log has the graph alone. Of a cycle the run with the largest peak is logged,
/// which a note names. Errors: kCancelled.
[[nodiscard]] Result<StepLogs> step_logs(const ReadGraphPtr& source, const Graph& rewritten,
                                         const StepLogOptions& options, Progress& progress);

/// Appends a picture of the memory of each step. Why there is none is a note.
void add_pictures(const DrawPng& draw_png, StepLogs& logs);

/// The values of a policy as hyperparameters: the rewriter, and its parameters that have one.
[[nodiscard]] std::vector<events::Hparam> hparams_of(const Policy& used);

}  // namespace tideline::app
