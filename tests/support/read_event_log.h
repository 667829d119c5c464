// Reads an event log at once, as tests need it.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/event_log.h"
#include "core/events/log_source.h"

namespace tideline::test {

/// Reads a log on the calling thread. `diagnostics` of the result say what was left out. Errors:
/// those of events::LogSource::open; kCancelled. Cost: O(bytes).
[[nodiscard]] Result<events::EventLog> read_event_log(const std::string& path,
                                                      events::AtDamage at_damage,
                                                      Progress& progress);

}  // namespace tideline::test
