// Members of JSON objects that may be absent or of another type.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tideline {

/// The member `key`; null when it is absent or `object` is no object.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* key);
/// The text of the member `key`; empty when there is none, or it is no text.
[[nodiscard]] std::string text(const nlohmann::json& object, const char* key);

}  // namespace tideline
