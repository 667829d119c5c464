// Chooses one of the graphs of a log.
#pragma once

#include <optional>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/events/logged_graphs.h"

namespace tideline::events {

/// The values of `--run` and `--tag`. A pattern equal to the whole name of a run (tag) selects only
/// that one, whatever else it matches.
struct GraphWish {
  std::optional<NamePattern> run;
  std::optional<NamePattern> tag;  ///< looked for in "TAG" and in "TAG:PART"
};

/// Chooses among `graphs`. Within one run, in order of preference: the graph of the whole run, as a
/// MetaGraph (which has collections), then as a GraphDef; then traced functions and partitions. Of
/// several of one kind the last is taken, as in TensorBoard; of a traced function the graph before
/// optimization. If others matched too, a notice names the chosen one. Errors: kNotFound when
/// nothing matches, kInvalidArgument when several runs, tags or functions do; the message lists
/// them. Cost: O(graphs). Thread: pure.
[[nodiscard]] Result<LoggedGraph> choose_graph(const std::vector<LoggedGraph>& graphs,
                                               const GraphWish& wish, Diagnostics& diagnostics);

}  // namespace tideline::events
