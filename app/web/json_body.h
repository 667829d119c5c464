// Bodies of requests and answers as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/web/message.h"

namespace tideline::web {

/// An object of at most 16 levels. Errors: kInvalidArgument. Cost: O(bytes).
[[nodiscard]] Result<nlohmann::json> parse_body(const std::string& body);
[[nodiscard]] Response json_response(const nlohmann::ordered_json& answer, int status = 200);

}  // namespace tideline::web
