// Which of the graphs of a log is meant.
#pragma once

#include <optional>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/events/logged_graphs.h"
#include "core/events/name_pattern.h"

namespace tideline::events {

/// What the user said: `--run`, `--tag`. A text that is the whole name of a run (tag) means that
/// one alone, whatever else it matches.
struct GraphWish {
  std::optional<NamePattern> run;
  std::optional<NamePattern> tag;  ///< looked for in "TAG" and in "TAG:PART"
};

/// The graph of `graphs` that is meant. Of one run the graph of the run as a whole is preferred to
/// traced functions and partitions; as a MetaGraph (it has collections) to as a GraphDef; of
/// several of one kind the last, as in TensorBoard; of one traced function the graph before
/// optimization. When others matched too, a notice says what was taken. Errors: kNotFound when
/// nothing matches, kInvalidArgument when several runs, tags or functions do; the message lists
/// them. Pure.
[[nodiscard]] Result<LoggedGraph> choose_graph(const std::vector<LoggedGraph>& graphs,
                                               const GraphWish& wish, Diagnostics& diagnostics);

}  // namespace tideline::events
