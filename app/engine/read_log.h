// Reads an event log on several threads. Core starts none; it gives blocks, and takes rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/event_log.h"
#include "core/events/log_source.h"

namespace tideline::app {

/// Reads everything that `source` has for now into `log`: blocks are decoded on `threads` threads,
/// this one included, and their rows are added in the order of the log, so that the result does not
/// depend on the number. 0 means as many as the machine has, at most 8. `look`, if not empty, is
/// called with what is in the log after each block, from any thread, one call at a time. Errors:
/// kCancelled.
using LookAtLog = std::function<void(const events::EventLog& log)>;
[[nodiscard]] Status read_blocks(events::LogSource& source, events::EventLog& log,
                                 Progress& progress, unsigned threads = 0,
                                 const LookAtLog& look = {});

/// What a log that is added to `source` is called: the last part of its path, or that with a number
/// where a run or a log has it already ("train", "train 2").
[[nodiscard]] std::string added_name(const events::LogSource& source, const std::string& path);
/// Opens the log at the first path, and adds the others, each under its added_name. Precondition:
/// there is one. Errors: those of LogSource::open and add.
[[nodiscard]] Result<events::LogSource> open_logs(const std::vector<std::string>& paths,
                                                  events::AtDamage at_damage, Progress& progress);
/// Opens the logs at `paths` as one, and reads all of it. Errors: those of open_logs; kCancelled.
[[nodiscard]] Result<events::EventLog> read_logs(const std::vector<std::string>& paths,
                                                 events::AtDamage at_damage, Progress& progress,
                                                 unsigned threads = 0);
/// The same of one path.
[[nodiscard]] Result<events::EventLog> read_log(const std::string& path, events::AtDamage at_damage,
                                                Progress& progress, unsigned threads = 0);

}  // namespace tideline::app
