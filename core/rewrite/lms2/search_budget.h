// The peaks that a search for parameters of LMS v2 accepts.
#pragma once

#include "core/rewrite/search.h"

namespace tideline::lms2 {

/// The budget that a peak has to stay below, in bytes: `ratio` of the device memory left by the
/// trainable variables; on the faithful model, where they are resident, plus the trainable
/// variables. The compatible model leaves them out of its peaks.
[[nodiscard]] double search_budget(const SearchModel& model, Bytes device_memory, Bytes trainable,
                                   double ratio);
/// The smallest device memory whose budget is above `peak`.
[[nodiscard]] Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable,
                                    double ratio);

}  // namespace tideline::lms2
