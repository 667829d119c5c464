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

/// Whether pages may ask for an action; those that quit, run code, open another document or are
/// about what pages do not show may not be asked for. `action`: an id, or one with its first
/// argument behind a space as the palette lists it; else `argument` is the first one. Errors:
/// kUnsupported, saying why.
[[nodiscard]] Status check_allowed(std::string_view action, std::string_view argument = {});

}  // namespace tideline::web
