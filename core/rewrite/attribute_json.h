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
/// {"strings": ["x"]}, {"types": ["DT_FLOAT"]}, {"integers": [1, 2]}. What has no such form, or
/// would not be encoded the same way again, is {"encoded": "base64 of the value"}.
[[nodiscard]] nlohmann::ordered_json attribute_json(const NodeCodec& codec,
                                                    std::string_view encoded);

/// The encoded value that attribute_json prints as `value`. Errors: kCorrupt, saying what was
/// expected; for bytes that are no attribute's value, too.
[[nodiscard]] Result<std::string> attribute_from_json(const NodeCodec& codec,
                                                      const nlohmann::json& value);

}  // namespace tideline
