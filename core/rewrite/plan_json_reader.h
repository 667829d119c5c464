// Plans read back from text: schema tideline.plan/1.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms_plan.h"

namespace tideline {

/// What a plan file says, as far as it takes to apply it.
struct ReadPlan {
  LmsPlan plan;          ///< added ops, rerouted inputs and control edges; no reasons
  std::string digest;    ///< of the graph that it is for, as the file says it
  std::string function;  ///< the function whose body it is for; else empty
};

/// Reads a plan of kind `lms` for `graph`. Keys that are not known are ignored. Errors: kCorrupt
/// for what is no plan; kUnsupported for another schema or kind, and for added ops that are no
/// copies; kNotFound for names that are not in the graph; kInvalidArgument when an input that shall
/// be rerouted reads something else than the plan says. Messages begin with `path`. Whether the
/// digest is that of the graph's bytes is for the caller to see.
[[nodiscard]] Result<ReadPlan> read_plan(const std::string& path, std::string_view content,
                                         const Graph& graph);

}  // namespace tideline
