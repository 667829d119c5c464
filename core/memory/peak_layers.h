// The peak of a step by layer: name scopes, with the gradients and slots of their variables.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/structure/variable_roles.h"
#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/memory/timeline.h"

namespace tideline {

struct PeakLayer {
  std::string name;        ///< a scope, or an op outside of all scopes; empty: the others together
  std::size_t others = 0;  ///< how many, for those
  Bytes bytes = 0;
  Bytes variables = 0;  ///< of these bytes
  Bytes slots = 0;
  Bytes activations = 0;
  Bytes gradients = 0;
};

/// What is alive at the peak of `timeline`, a step of `graph`, whose variables are `variables`, by
/// at most `most` layers, largest
/// first; they add up to the device peak. Scopes are opened, the largest first, as long as there
/// is room for what is in them. Cost: O(tensors alive x depth of names).
[[nodiscard]] std::vector<PeakLayer> peak_layers(const Graph& graph,
                                                 std::span<const VariableUse> variables,
                                                 const MemoryTimeline& timeline,
                                                 std::size_t most = 10);

}  // namespace tideline
