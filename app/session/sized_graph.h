// A graph with what is said and measured about the sizes of its tensors: what plans are made for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/read_graph.h"
#include "core/graph/tensor_options.h"
#include "core/graph/tensor_table.h"
#include "core/memory/cost_model.h"
#include "core/memory/measured_run.h"

namespace tideline::session {

using MeasuredRunPtr = std::shared_ptr<const MeasuredRun>;

/// Thread: any number of readers.
struct SizedGraph {
  ReadGraphPtr source;
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  MeasuredRunPtr measured = {};  ///< null without a traced step

  [[nodiscard]] const io::Document& document() const { return source->document; }
  [[nodiscard]] const Graph& graph() const { return source->document.graph; }
  /// Looks at the functions and at what was measured: valid as long as these.
  [[nodiscard]] TensorOptions options(SizeModel model = SizeModel::kCompatible) const;
  /// Errors: those of TensorTable::build.
  [[nodiscard]] Result<TensorTable> tensors(SizeModel model) const;
  /// By the profile, and measured times of ops where there are some; valid as long as these.
  [[nodiscard]] CostModel costs(const DeviceProfile& profile) const;
};

/// Reads the graph that is meant, and the traced step in `trace_path` unless that is empty. `run`
/// and `tag` of the choice hold in both logs; one that fits only one of them counts for that one.
/// The comparison of the traced step is empty. Errors: those of read_graph, events::open_trace and
/// measure_run; messages begin with the path.
[[nodiscard]] Result<SizedGraph> read_with_trace(const events::GraphChoice& choice,
                                                 const std::string& trace_path, Progress& progress);

}  // namespace tideline::session
