// An opened graph with everything about it that no policy changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/levels.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/analysis/summary.h"
#include "core/base/progress.h"
#include "core/events/logged_trace.h"
#include "core/events/open_graph.h"
#include "core/graph/consumers.h"
#include "core/graph/tensor_table.h"
#include "core/io/document.h"
#include "core/memory/faithful.h"
#include "core/memory/measured/measured_run.h"

namespace tideline::session {

using MeasuredRunPtr = std::shared_ptr<const MeasuredRun>;

/// What is to be opened, and what the user says about sizes.
struct OpenRequest {
  events::GraphChoice graph = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  std::vector<std::string> fetches = {};  ///< what a step is run for; empty: the default
  /// The traced step; one without a path is none. Nothing: that of the log, if it has one.
  std::optional<events::TraceChoice> trace = {};
};

/// A device whose memory is looked at.
struct DeviceName {
  std::string name;  ///< "" when the graph names none
  /// As in StepOptions: nothing when the device is all that is no CPU.
  std::optional<std::string> gpu_device = {};
};

/// The part that sizes do not change either.
struct GraphFile {
  GraphFile(events::GraphChoice graph_choice, io::Document opened);

  events::GraphChoice choice;
  io::Document document;
  Diagnostics diagnostics;  ///< of the document and of its functions
  FunctionLibrary functions;
  Consumers consumers;
  LevelMap levels;  ///< the complete map
  ScopeTree scopes;
  Phases phases;
  std::vector<DeviceName> devices;  ///< in the order of their first op; at least one
};

/// The devices of a graph: one for all ops that are on no CPU, unless these name several; then one
/// for each name, at most `kMostDevices`, and a notice says what is in none.
[[nodiscard]] std::vector<DeviceName> find_devices(const Graph& graph, Diagnostics& diagnostics);
inline constexpr std::size_t kMostDevices = 16;

/// A step on one device.
struct DeviceStep {
  DeviceName device;
  StepGraph graph;
  FaithfulStep before;  ///< of the graph as it is in the file
};

/// `measured`, which may be null, tells the scratch memory of ops. Errors: those of
/// build_step_graph. Cost: O(ops + edges).
[[nodiscard]] Result<std::shared_ptr<const DeviceStep>> make_device_step(
    const GraphFile& file, const TensorTable& tensors, DeviceName device,
    const std::vector<std::string>& fetches, const MeasuredRun* measured);

/// Invariant: never changes once opened. Thread: any number of readers.
struct OpenedGraph {
  OpenRequest request;
  std::shared_ptr<const GraphFile> file;
  TensorTable tensors;  ///< of the faithful model
  Summary summary;
  Diagnostics diagnostics;                                 ///< all of them, oddities included
  std::vector<std::shared_ptr<const DeviceStep>> devices;  ///< as GraphFile::devices
  MeasuredRunPtr measured;         ///< with its comparison; null without a traced step
  std::vector<Bytes> scope_bytes;  ///< by scope: outputs of its ops and of those inside

  [[nodiscard]] const Graph& graph() const { return file->document.graph; }
  [[nodiscard]] const io::Document& document() const { return file->document; }
  /// What rewriters are to be told about sizes; valid as long as this.
  [[nodiscard]] TensorOptions sizes() const;
};

/// Opens a graph. Errors: those of events::open_graph, TensorTable::build, summarize and
/// build_step_graph, beginning with the path; kCancelled. A traced step that cannot be used is an
/// entry in the diagnostics. Cost: one pass over the bytes, and O(ops + edges) for each device.
[[nodiscard]] Result<std::shared_ptr<const OpenedGraph>> open(const OpenRequest& request,
                                                              Progress& progress);

/// The same file with other sizes or fetches, or with a traced step (null: without), without
/// reading it again. What was measured counts before what is guessed.
[[nodiscard]] Result<std::shared_ptr<const OpenedGraph>> resize(
    const std::shared_ptr<const GraphFile>& file, const OpenRequest& request,
    MeasuredRunPtr measured, Progress& progress);

}  // namespace tideline::session
