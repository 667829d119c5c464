// The peaks that a search for parameters of LMS v2 accepts.
#pragma once

#include "core/rewrite/lms/search.h"

namespace tideline::lms2 {

/// A peak has to be below this to fit `usable` bytes (usable_memory): the reference's own search
/// wants it to be smaller than these, ours no larger.
[[nodiscard]] double peak_limit(const SearchModel& model, double usable);
/// The smallest device memory with which `peak` fits.
[[nodiscard]] Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable,
                                    const MemoryBudget& budget);

}  // namespace tideline::lms2
