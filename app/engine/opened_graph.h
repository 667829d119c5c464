// An opened graph with everything about it that does not depend on the policy.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/analysis/levels.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/analysis/structure/while_frames.h"
#include "core/analysis/summary.h"
#include "core/analysis/swap_copies.h"
#include "core/base/progress.h"
#include "core/events/logged_trace.h"
#include "core/graph/consumers.h"
#include "core/memory/faithful.h"

namespace tideline::app {

/// The graph to open, and the user's options about sizes.
struct OpenRequest {
  events::GraphChoice graph = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  std::vector<GivenRounds> rounds = {};   ///< of loops
  RunModel run = {};                      ///< whether the step is as TensorFlow runs it
  std::vector<std::string> fetches = {};  ///< ops that a step is run for; empty: the default
  /// The traced step to open; an empty path means none, nullopt the one in the graph's log, if
  /// there is one.
  std::optional<events::TraceChoice> trace = {};
};

/// A device whose memory is simulated.
struct StepDevice {
  std::string name;  ///< "" when the graph names no device
  /// As in StepOptions: nullopt means everything that is not a CPU.
  std::optional<std::string> gpu_device = {};
};

/// The part that does not depend on sizes, for the views. Thread: immutable.
struct GraphFile {
  explicit GraphFile(ReadGraphPtr read);

  ReadGraphPtr source;
  Diagnostics diagnostics;  ///< of reading and of these analyses
  const Consumers& consumers;
  const LevelMap& levels;  ///< the complete map
  ScopeTree scopes;
  const SwapCopies& copies;         ///< swaps that the graph holds already
  const Phases& phases;             ///< as without them
  WhileFrames loops;                ///< none if their attributes cannot be decoded
  std::vector<StepDevice> devices;  ///< in the order of their first op; at least one

  [[nodiscard]] const io::Document& document() const { return source->document; }
  [[nodiscard]] const std::string& path() const { return source->choice.path; }
};

/// The devices of a graph: one for all ops that are not on a CPU or, if these name several devices,
/// one for each name, at most `kMostDevices`, with a notice about ops that belong to none.
[[nodiscard]] std::vector<StepDevice> find_devices(const Graph& graph, Diagnostics& diagnostics);
inline constexpr std::size_t kMostDevices = 16;

/// A step, seen from one device.
class DeviceStep {
 public:
  StepDevice device;
  StepGraph graph;
  FaithfulStep before;  ///< of the unedited graph

  /// The device peak of the step as in the file, where `graph` is as TensorFlow runs it. Cost: a
  /// simulation when it is first asked for. Thread: any.
  [[nodiscard]] std::optional<Bytes> peak_in_file() const;

 private:
  mutable std::once_flag is_asked_;
  mutable Bytes peak_in_file_ = 0;
};

/// Builds and simulates the step. `measured`, which may be null, provides the scratch memory of
/// ops. Errors: those of build_step_graph. Cost: O(ops + edges).
[[nodiscard]] Result<std::shared_ptr<const DeviceStep>> make_device_step(
    const ReadGraph& source, const TensorTable& tensors, StepDevice device,
    const std::vector<std::string>& fetches, const MeasuredRun* measured, RunModel run);

/// An opened graph. Thread: immutable, any number of readers.
struct OpenedGraph {
  OpenRequest request;
  std::shared_ptr<const GraphFile> file;
  TensorTable tensors;  ///< of the faithful model
  Summary summary;
  Diagnostics diagnostics;                                 ///< of the file and of the graph
  std::vector<std::shared_ptr<const DeviceStep>> devices;  ///< as GraphFile::devices
  MeasuredRunPtr measured;         ///< with its comparison; null without a traced step
  std::vector<Bytes> scope_bytes;  ///< by scope: outputs of its ops, inner scopes included

  [[nodiscard]] const io::Document& document() const { return file->source->document; }
  [[nodiscard]] const Graph& graph() const { return document().graph; }
  /// The input of a Replanner.
  [[nodiscard]] SizedGraph sized() const;
};

/// Opens a graph. Errors: those of read_graph, TensorTable::build, summarize and
/// build_step_graph, beginning with the path; kCancelled. A traced step that cannot be used is an
/// entry in the diagnostics. `file`, if not null, is the graph as somebody read it before. Cost:
/// one pass over the bytes unless there is a `file`, and O(ops + edges) for each device.
[[nodiscard]] Result<std::shared_ptr<const OpenedGraph>> open(
    const OpenRequest& request, Progress& progress,
    std::shared_ptr<const GraphFile> file = nullptr);

/// The same file with other sizes or fetches, or with a traced step (null: none), without reading
/// it again. Measured sizes take precedence over guesses. Errors: those of open except reading.
[[nodiscard]] Result<std::shared_ptr<const OpenedGraph>> resize(
    const std::shared_ptr<const GraphFile>& file, const OpenRequest& request,
    MeasuredRunPtr measured, Progress& progress);

/// `original` with an edit of its graph, for views of what a plan gives: without summary,
/// diagnostics and traced step, which are those of the file. Errors: as above. Cost: no writing and
/// no reading.
[[nodiscard]] Result<std::shared_ptr<const OpenedGraph>> edited(const OpenedGraph& original,
                                                                Graph graph, Progress& progress);

}  // namespace tideline::app
