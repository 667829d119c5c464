// Values of parameters as JSON, for plans and for fronts in other languages.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/rewrite/values.h"

namespace tideline {

/// The parameter's key in JSON: "batch_size" for the parameter batch-size.
[[nodiscard]] std::string json_key(const Parameter& parameter);

/// `value` as a number, boolean, string, or list of strings; null for none.
[[nodiscard]] nlohmann::ordered_json value_json(const Value& value);

/// An empty object with room for `members`: one that outgrows its room copies what it has, deeply.
[[nodiscard]] nlohmann::ordered_json object_with_room(std::size_t members);
/// Adds a member without looking whether the key is there, which takes as long as the object.
/// Precondition: it is not.
void append(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value);

}  // namespace tideline
