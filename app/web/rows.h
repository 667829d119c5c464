// Tables of a session, in pieces.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/web/message.h"
#include "app/web/served.h"

namespace tideline::web {

inline constexpr std::size_t kMostRows = 500;

/// {"total", "rows"} of the table that the query names: swaps, scopes, live, level, search or
/// attributes, from row `first` at most `count`. Preconditions: the mutex is held, and the session
/// was polled. Errors: kInvalidArgument for another table or wrong parameters.
[[nodiscard]] Result<nlohmann::ordered_json> rows_json(Served& served, const Request& request);

}  // namespace tideline::web
