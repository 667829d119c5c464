// Follows a log to which training still writes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/log_source.h"

namespace tideline::cli {

/// Calls `print`, which reads what `source` has and prints it, again and again, less than a quarter
/// of a second after something was written. Returns when nobody reads standard output any more.
/// Errors: kCancelled; those of `print`.
[[nodiscard]] Status follow(events::LogSource& source, Progress& progress,
                            const std::function<Status()>& print);

/// Warns of the entries of `all` behind the first `warned`. Returns how many there are.
[[nodiscard]] std::size_t warn_of_new(const std::string& path, const Diagnostics& all,
                                      std::size_t warned);

}  // namespace tideline::cli
