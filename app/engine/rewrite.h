// Runs several rewriters in a row, each on the result of the previous one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/base/progress.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

struct RewriteOptions {
  std::vector<Policy> policies;   ///< at least one; they run in this order
  bool explain = false;           ///< see Replanner::plan
  bool wants_plan = false;        ///< also return the plan as JSON
  bool wants_prediction = false;  ///< also simulate the step of each plan
  /// Without it the graph is only made where a step becomes several runs, or its result is shown
  /// (PlanReport::shows_result).
  bool wants_graph = true;
};

/// The result of one rewriter.
struct RewriteLink {
  std::shared_ptr<const Graph> graph;  ///< the graph that the ids of the plan refer to
  Outcome made;
  std::optional<PlanPrediction> predicted;  ///< if wanted, unless a step becomes several runs

  /// Of the plan, and of what it does to a step where that is known.
  [[nodiscard]] std::vector<Warning> warnings() const;
};

struct Rewritten {
  Graph graph;  ///< if wanted: an edit of the original, to be written with its surroundings
  std::vector<RewriteLink> links;
  /// Of kind `chain` if there are several links, or if calls were inlined before the first; empty
  /// if not wanted.
  std::string plan_json;

  /// The runs of the one plan by which a step becomes several runs; nullopt where there is none, or
  /// more than one.
  [[nodiscard]] std::optional<Cycle> cycle() const;
};

/// The plan JSON of `made`, a plan for the graph of `source`, that gives `changed`. `file` is the
/// path that it names, `predicted` what is known of the step. If calls were inlined, of kind
/// `chain`: the plan that inlines them in the file, and `made`. Errors: those of written_graph.
[[nodiscard]] Result<std::string> plan_text(const ReadGraph& source, const std::string& file,
                                            const Outcome& made, const Graph& changed,
                                            const std::optional<PlanPrediction>& predicted,
                                            Progress& progress);

/// Runs the rewriters of `options.policies` on `original`. Errors: those of Replanner::plan,
/// predict and apply, with the path, and for later links with their number. Cost: that of the
/// plans; between two links the graph is written to memory and read again.
[[nodiscard]] Result<Rewritten> rewrite(const SizedGraph& original, const RewriteOptions& options,
                                        Progress& progress);

}  // namespace tideline::app
