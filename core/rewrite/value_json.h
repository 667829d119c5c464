// Values of parameters as JSON, for plans and for fronts in other languages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/rewrite/values.h"

namespace tideline {

/// The parameter's key in JSON: "batch_size" for the parameter batch-size.
[[nodiscard]] std::string json_key(const Parameter& parameter);

/// `value` as a number, boolean, string, or list of strings; null for none.
[[nodiscard]] nlohmann::ordered_json value_json(const Value& value);

}  // namespace tideline
