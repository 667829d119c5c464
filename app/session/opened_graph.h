// An opened graph with everything about it that no policy changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/sized_graph.h"
#include "core/analysis/levels.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/analysis/summary.h"
#include "core/base/progress.h"
#include "core/events/logged_trace.h"
#include "core/graph/consumers.h"
#include "core/memory/faithful.h"

namespace tideline::session {

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

/// What views know of a graph and sizes do not change.
struct GraphFile {
  explicit GraphFile(ReadGraphPtr read);

  ReadGraphPtr source;
  Diagnostics diagnostics;  ///< of reading and of looking at it
  Consumers consumers;
  LevelMap levels;  ///< the complete map
  ScopeTree scopes;
  Phases phases;
  std::vector<DeviceName> devices;  ///< in the order of their first op; at least one

  [[nodiscard]] const io::Document& document() const { return source->document; }
  [[nodiscard]] const std::string& path() const { return source->choice.path; }
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
    const ReadGraph& source, const TensorTable& tensors, DeviceName device,
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

  [[nodiscard]] const io::Document& document() const { return file->source->document; }
  [[nodiscard]] const Graph& graph() const { return document().graph; }
  /// What plans are made for.
  [[nodiscard]] SizedGraph sized() const;
};

/// Opens a graph. Errors: those of read_graph, TensorTable::build, summarize and
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
