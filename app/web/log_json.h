// An open log as a page is told of it.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "app/web/message.h"
#include "app/web/served.h"

namespace tideline::web {

/// The member "log" of a state: path, counts, what is damaged, the graphs and traced steps in it,
/// how many charts each page has, and what is wrong with the filters. Preconditions: the mutex is
/// held, `model` is up to date, and has a log.
[[nodiscard]] nlohmann::ordered_json log_json(Served& served, const ui::UiModel& model);

/// Rows `first` to `first + count` of the table that the query names: log-runs, log-charts (of the
/// page that is shown) or hparams, as {"total", "rows"}; or log-row (log_cards_json.h).
/// Preconditions: as above. Errors: kInvalidArgument for another table.
[[nodiscard]] Result<nlohmann::ordered_json> log_rows_json(Served& served, const ui::UiModel& model,
                                                           const Request& request,
                                                           std::size_t first, std::size_t count);

}  // namespace tideline::web
