// Reads the runs of a cycle from a plan.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/graph/cycle.h"

namespace tideline {

/// The cycle of a plan of kind `sections`. Errors: as PlanFile::cycle.
[[nodiscard]] Result<Cycle> read_cycle(const nlohmann::json& plan);

}  // namespace tideline
