// Parses the small JSON files that users write: profiles and clusters.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::app {

/// The object that `text` holds, without what is nested too deep: nothing in such a file is. `what`
/// is expected, as in "profile". Errors: kCorrupt, for more than 1 MiB, too.
[[nodiscard]] Result<nlohmann::json> parse_json_object(std::string_view text,
                                                       std::string_view what);

/// What a value is, as far as a line can say it; a value may hold a lot more.
[[nodiscard]] std::string shown_json(const nlohmann::json& value);

}  // namespace tideline::app
