// JSON as text. One place, because every file that calls dump() itself takes seconds longer to
// compile.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tideline::session {

/// The text of `json`, indented by `indent` blanks a level; -1: on one line. Bytes that are not
/// UTF-8 are replaced. No line end after it.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json, int indent = 1);
/// The same with members in the order of their names.
[[nodiscard]] std::string json_text(const nlohmann::json& json, int indent = 1);

}  // namespace tideline::session
