// Whether a training step fits a device, and the ways to make it fit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/known_peaks.h"
#include "app/engine/sized_graph.h"
#include "core/base/progress.h"
#include "core/events/logged_trace.h"
#include "core/memory/device_profile.h"
#include "core/memory/largest_batch.h"
#include "core/memory/peak_layers.h"
#include "core/memory/run_model.h"
#include "core/memory/step_time.h"
#include "core/memory/timeline.h"
#include "core/rewrite/policy.h"
#include "render/view/fit_curve.h"

namespace tideline::app {

struct FitRequest {
  std::string device;                                  ///< as the user named it: "v100", "16GiB"
  DeviceProfile profile = *built_in_profile("pcie3");  ///< from which times are estimated
  /// Its budget is the memory of the device; its search names fetches. The chosen rewriter is of no
  /// account; values that several rewriters share, such as the GPU's device, are.
  Policy policy = {};
  bool wants_ways = true;
  bool wants_curve = false;
  std::string profile_word = {};   ///< of commands: name or file of the profile; empty: the usual
  events::TraceChoice trace = {};  ///< of commands: the traced step that the graph came with
  /// Peaks of the graph as it is, by batch size, which are read and added to, so that several
  /// devices with the same executor share them. May be null.
  KnownPeaks* known_peaks = nullptr;
  /// Whether no more ways are to be begun, and those at work are to be given up. May be empty.
  /// Called by several threads.
  std::function<bool()> is_late = {};
};

/// A part of the peak.
struct FitKind {
  std::string_view name;  ///< memory_kind_name, or "scratch"
  Bytes bytes = 0;
};

/// What an unknown dim counts as for FitStep::most: a long sequence, a large picture.
inline constexpr std::int64_t kLargeDim = 128;

/// The step as it is, with the batch size that was asked about.
struct FitStep {
  std::int64_t batch = 1;
  bool is_batch_assumed = false;  ///< none was given, and sizes depend on it
  bool fits = false;
  Bytes peak = 0;
  /// The peak with 1 and with kLargeDim for each dim of a fed value that nothing tells or, with a
  /// traced step, the model's and the measured peak. Equal to the peak if all sizes are known.
  Bytes least = 0, most = 0;
  std::int64_t unknown_sizes = 0;      ///< tensors of the step whose size is guessed
  std::string expected_sizes = {};     ///< what the user can give for them (step_ops.h)
  std::optional<Bytes> measured_peak;  ///< with a traced step
  std::vector<FitKind> kinds;          ///< all that are there, adding up to the peak
  std::vector<PeakLayer> layers;       ///< at most ten, largest first, adding up to the peak
  std::vector<std::pair<std::string, Bytes>> largest;  ///< tensors alive at the peak, at most ten
  std::string peak_op = {};                            ///< that runs at the peak
  std::int64_t step_ns = 0;
  TimeRange range;
  [[nodiscard]] double example_ns() const {
    return static_cast<double>(step_ns) / static_cast<double>(batch);
  }
};

/// A way to train with the batch that was asked about, or with a smaller one.
struct FitWay {
  std::string id;     ///< "batch", "accumulate", or the id of a rewriter
  std::string title;  ///< "LMS v2", "towers on 2 devices"
  bool fits = false;
  std::int64_t batch = 0;  ///< of a step; of the whole, where it is split
  Bytes peak = 0;          ///< of the device that needs most
  Bytes host_peak = 0;
  std::int64_t step_ns = 0;
  double factor = 1;  ///< time of an example beside that of the step as it is
  std::int64_t devices = 1;
  std::string cost;               ///< "1.40 x the time, link busy 60 %"
  std::string confidence;         ///< "simulated; times are estimates", ...
  std::vector<Warning> warnings;  ///< of its plan
  std::string command;            ///< that writes it; empty if nothing has to be written
  [[nodiscard]] double example_ns() const {
    return static_cast<double>(step_ns) / static_cast<double>(batch);
  }
};

/// A way that is not in the table, and why.
struct MissingWay {
  std::string title;
  std::string reason;
};

struct Fit {
  std::string device;
  Bytes memory = 0;  ///< of the device
  Bytes budget = 0;  ///< that a step may use of it
  std::string profile;
  RunModel run;
  FitStep step;
  LargestBatch largest;      ///< as it is
  std::vector<FitWay> ways;  ///< those that fit first; then by time of an example
  std::vector<MissingWay> missing;
  render::FitCurve curve;         ///< if wanted
  std::vector<Warning> warnings;  ///< of the step as it is
  /// Whether the step fits as it is or in any of the ways.
  [[nodiscard]] bool any_fits() const;
};

/// Answers for `graph`, with the batch size that it has; executors as its run model says, or as
/// with_executor finds them. Errors: those of TensorTable::build and
/// build_step_graph for the graph as it is; kInvalidArgument without a budget; kNotFound for a
/// device that no op is on; kCancelled. What a
/// way cannot do is in `missing`. Cost: a simulation for each batch size that is tried, about five,
/// and the plans of the ways, which
/// are made side by side. Thread: pure.
[[nodiscard]] Result<Fit> fit(const SizedGraph& graph, const FitRequest& request,
                              Progress& progress);

}  // namespace tideline::app
