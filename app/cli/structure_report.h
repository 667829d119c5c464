// How `inspect --structure` says what the structure of a graph is.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/structure/structure.h"

namespace tideline::cli {

/// A few lines, indented by two blanks like the others of `inspect`.
[[nodiscard]] std::string structure_text(const Graph& graph, const Structure& structure);

/// Key "structure" of `inspect --json`. Long lists are counts; loops, conditionals, variables and
/// series are listed by op name.
[[nodiscard]] nlohmann::ordered_json structure_json(const Graph& graph, const Structure& structure);

}  // namespace tideline::cli
