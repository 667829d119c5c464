// What a request asks for: the path and the parameters of its target.
#pragma once

#include <string_view>

#include "app/web/message.h"

namespace tideline::web {

/// Fills `path` and `query` of a request. False: the target is no path ("/a?b=c"), or malformed.
[[nodiscard]] bool parse_target(std::string_view target, Request& request);

}  // namespace tideline::web
