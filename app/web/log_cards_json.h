// What a log has beside charts: images, texts and hyperparameters, as a page asks for them.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "app/web/message.h"
#include "app/web/served.h"

namespace tideline::web {

/// Of all images of an answer together, as they are in the log.
inline constexpr std::size_t kMostImagesBytes = std::size_t{8} << 20U;

/// The row of a series of images or texts that is shown: {"series", "row", "row_count", "step",
/// "wall", "problem"} and, of a text, "lines" or "cells" and "left_out" and, unless texts are shown
/// as written, "blocks" (markdown_json.h); of images "images", each with the "type" of its file and
/// its bytes as base64 in "data", and "total". Preconditions: the mutex is held; `model` is up to
/// date, and has a log. Errors: kInvalidArgument where "series" names no such series.
[[nodiscard]] Result<nlohmann::ordered_json> log_card_json(Served& served, const ui::UiModel& model,
                                                           const Request& request);

/// The hyperparameters of the runs that are shown: {"total", "rows", "columns", "left_out"}, a row
/// {"run", "status", "cells"}. Preconditions: as above.
[[nodiscard]] nlohmann::ordered_json hparams_json(Served& served, const ui::UiModel& model,
                                                  std::size_t first, std::size_t count);

}  // namespace tideline::web
