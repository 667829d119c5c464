// How a log is looked at, as JSON: the member "log" of a view.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "render/model/view_state.h"

namespace tideline::web {

/// What set_log_view takes back. Hidden runs are left out where there are so many that a request
/// would have no room for them.
[[nodiscard]] nlohmann::ordered_json log_view_json(const ui::LogView& view);

/// Changes the members that `value` has. False, and nothing is changed, where one has a wrong value
/// or there is no such member.
[[nodiscard]] bool set_log_view(ui::LogView& view, const nlohmann::json& value);

/// For messages.
inline constexpr const char* kLogViewExpected =
    "an object with members of the view of a log, each as a state has it";

}  // namespace tideline::web
