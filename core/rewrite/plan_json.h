// Plans as text for other programs: schema tideline.plan/1.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/lms_plan.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

/// What the head of a plan says beside the plan itself.
struct PlanHead {
  std::string tool;      ///< "tideline 0.1.0"
  std::string file;      ///< the original, as the user named it
  std::string digest;    ///< sha256 of the GraphDef (FunctionDef) bytes, lower-case hexadecimal
  std::string function;  ///< the function whose body the plan is for; else empty
};

/// Deterministic JSON with a final newline. Lists are sorted by name, but for `added` and for what
/// one op waits for, which keep the order of insertion.
/// `used` are the values that the plan was made with.
[[nodiscard]] std::string plan_json(const Graph& graph, const LmsPlan& plan,
                                    const Rewriter& rewriter, const Values& used,
                                    const PlanHead& head);

}  // namespace tideline
