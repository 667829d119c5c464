// The view of a session as a page sees and sets it.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>

#include "app/web/served.h"

namespace tideline::web {

/// The members of a row of the swaps table by which it can be sorted, in the order of
/// ui::SwapColumn.
inline constexpr std::array kSwapColumns = {"tensor",       "bytes", "out_level", "in_level",
                                            "slack_levels", "slack", "link",      "user"};

/// The members that pages know. `model` is that of the session now.
[[nodiscard]] nlohmann::ordered_json view_json(const Served& served, const ui::UiModel& model);

/// Sets members by the names that view_json gives them. Precondition: the mutex is held. Errors:
/// kInvalidArgument for an unknown name or a wrong value; then nothing is set.
[[nodiscard]] Status set_view(Served& served, const nlohmann::json& members);

}  // namespace tideline::web
