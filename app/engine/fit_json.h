// The answer of `fit` as JSON, for the command line and for pages.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/engine/fit.h"

namespace tideline::app {

/// Its members without the name of the file. Times are in nanoseconds, sizes in bytes; null where
/// nothing is known.
[[nodiscard]] nlohmann::ordered_json fit_json(const Fit& fit);

/// Why LargestBatch::batch has no value, or is 0; empty if neither is so.
[[nodiscard]] std::string_view largest_batch_reason(const LargestBatch& largest);

}  // namespace tideline::app
