// Values of parameters as JSON, for plans and for fronts in other languages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/rewrite/values.h"

namespace tideline {

/// "batch_size" for the parameter batch-size: its key in JSON, and its word in Python.
[[nodiscard]] std::string json_key(const Parameter& parameter);

/// A number, true or false, a text, a list of texts; null for none.
[[nodiscard]] nlohmann::ordered_json value_json(const Value& value);

}  // namespace tideline
