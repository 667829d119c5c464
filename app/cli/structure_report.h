// The output of `inspect --structure`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/structure/structure.h"

namespace tideline::cli {

/// A few lines, indented by two blanks like the other lines of `inspect`.
[[nodiscard]] std::string structure_text(const Graph& graph, const Structure& structure);

/// The value of "structure" in `inspect --json`: counts, and loops, conditionals, variables and
/// series by op name.
[[nodiscard]] nlohmann::ordered_json structure_json(const Graph& graph, const Structure& structure);

}  // namespace tideline::cli
