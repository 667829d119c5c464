// What a page is told of a session.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/web/served.h"

namespace tideline::web {

/// The state of a session, a few kilobytes. Precondition: the mutex is held, and it was polled.
[[nodiscard]] nlohmann::ordered_json state_json(Served& served);

/// Brings model and cache of the session up to date, and gives the model.
const ui::UiModel& update_model(Served& served);

/// "none", "keep", "swap".
[[nodiscard]] const char* override_name(Override user);

/// A line of the table of actions as `about` lists it.
[[nodiscard]] nlohmann::ordered_json action_json(const ui::ActionInfo& info);

}  // namespace tideline::web
