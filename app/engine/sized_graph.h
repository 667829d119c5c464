// A graph with given and measured sizes of its tensors: the input of planning.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/read_graph.h"
#include "core/graph/cycle.h"
#include "core/graph/known_tables.h"
#include "core/graph/tensor_options.h"
#include "core/graph/tensor_table.h"
#include "core/memory/cost_model.h"
#include "core/memory/measured/measured_run.h"
#include "core/memory/run_model.h"

namespace tideline::app {

using MeasuredRunPtr = std::shared_ptr<const MeasuredRun>;

/// Thread: any number of readers.
struct SizedGraph {
  ReadGraphPtr source;
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};
  std::vector<GivenRounds> rounds = {};     ///< of loops
  RunModel run = {};                        ///< of its steps
  MeasuredRunPtr measured = {};             ///< null without a traced step
  std::optional<Cycle> cycle = {};          ///< of the plan that gave the graph
  std::shared_ptr<KnownTables> known = {};  ///< of the graph, to be shared; may be null
  ReadGraphPtr as_written = {};  ///< if `source` is what TensorFlow's optimizer makes of this one

  [[nodiscard]] const io::Document& document() const { return source->document; }
  [[nodiscard]] const Graph& graph() const { return source->document.graph; }
  /// Refers to the functions, the measured run and the known tables; valid as long as these.
  [[nodiscard]] TensorOptions options(SizeModel model = SizeModel::kCompatible) const;
  /// Errors: those of TensorTable::build.
  [[nodiscard]] Result<TensorTable> tensors(SizeModel model) const;
  /// Whether the loops that `rounds` names exist, and the conditionals of `run`, for verbs that may
  /// not simulate a step. Errors: those of build_step_graph. Cost: nothing without such names, else
  /// that of a step graph.
  [[nodiscard]] Status check_names() const;
  /// The profile with measured times of ops, if any; valid as long as the measured run.
  [[nodiscard]] CostModel costs(const DeviceProfile& profile) const;
};

/// Reads the chosen graph and, if `trace_path` is not empty, the traced step in it. `run` and `tag`
/// of the choice apply to both logs; a value that matches in only one of them applies to that one.
/// The comparison of the traced step is left empty. Errors: those of read_graph, events::open_trace
/// and measure_run; messages begin with the path.
[[nodiscard]] Result<SizedGraph> read_with_trace(const events::GraphChoice& choice,
                                                 const std::string& trace_path, Progress& progress);

}  // namespace tideline::app
