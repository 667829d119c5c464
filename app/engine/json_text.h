// Serialises JSON. In one file, because each file that calls dump() takes seconds longer to
// compile.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tideline::app {

/// The text of `json`, indented by `indent` blanks per level, or on one line for -1. Invalid UTF-8
/// is replaced, and hidden characters (core/base/characters.h) are written as \uXXXX, so that a
/// terminal does not obey them. Without a final line end.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json, int indent = 1);
/// The same with members sorted by name.
[[nodiscard]] std::string json_text(const nlohmann::json& json, int indent = 1);

}  // namespace tideline::app
