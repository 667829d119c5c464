// The changes of a plan as JSON: the part that all kinds of plans share.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"

namespace tideline {

/// The graph that a plan gives.
struct WrittenGraph {
  std::uint32_t ops = 0;
  std::string digest;  ///< as PlanHead::digest
};

/// The head of a plan file.
struct PlanHead {
  std::string tool;      ///< "tideline 0.1.0"
  std::string file;      ///< the original, as the user named it
  std::string digest;    ///< sha256 of the GraphDef (FunctionDef) bytes, lower-case hexadecimal
  std::string function;  ///< the function whose body the plan is for; else empty
  /// Given for plans by which a graph is run, so that the graph that results is recognised.
  std::optional<WrittenGraph> written = {};
};

/// An object with schema, tool, kind and graph.
[[nodiscard]] nlohmann::ordered_json plan_head_json(const Graph& graph, const PlanHead& head,
                                                    const std::string& kind);

/// Adds "added", "rerouted" and "control" to `json`, and the other kinds of changes if there are
/// any. Lists are sorted by name, except `added` and the control inputs of one op, which keep their
/// order.
void add_changes_json(const Graph& graph, const GraphPlan& plan, nlohmann::ordered_json& json);

/// Deterministic text with a final newline.
[[nodiscard]] std::string plan_text_of(const nlohmann::ordered_json& json);

/// A plan without a report.
[[nodiscard]] std::string plan_json(const Graph& graph, const GraphPlan& plan, const PlanHead& head,
                                    const std::string& kind);

/// A plan of kind `chain` from the texts of plans, each for the graph that the previous one gives.
/// Precondition: they were made by plan_json. `graph` and `head` belong to the first.
[[nodiscard]] std::string chain_json(const Graph& graph, const std::vector<std::string>& plans,
                                     const PlanHead& head);

}  // namespace tideline
