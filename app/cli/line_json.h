// Lines of the user's code in JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/graph/source_lines.h"

namespace tideline::cli {

/// Adds the member "line" to `entry`: file, line, function. Nothing for null, so that what is
/// printed of graphs without debug information stays as it is.
void add_line(const SourceLine* line, nlohmann::ordered_json& entry);

}  // namespace tideline::cli
