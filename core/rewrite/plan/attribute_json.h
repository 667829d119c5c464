// Attributes of ops as JSON, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/graph/node_codec.h"

namespace tideline {

/// The JSON of one encoded value: "DT_FLOAT" for a type, true, 3, [[null, 28]] for a list of shapes
/// (a shape of unknown rank is null), {"string": "x"}, {"float": 0.5}, {"shape": [2]},
/// {"strings": ["x"]}, {"types": ["DT_FLOAT"]}, {"integers": [1, 2]}. Values
/// without such a form, or with an encoding that would change, are {"encoded": "base64"}.
[[nodiscard]] nlohmann::ordered_json attribute_json(const NodeCodec& codec,
                                                    std::string_view encoded);

/// The encoded value for JSON made by attribute_json. Errors: kCorrupt, saying what was expected,
/// also for encoded bytes that are not a valid attribute value.
[[nodiscard]] Result<std::string> attribute_from_json(const NodeCodec& codec,
                                                      const nlohmann::json& value);

}  // namespace tideline
