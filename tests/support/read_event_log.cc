#include "tests/support/read_event_log.h"

#include "core/events/decode_events.h"

namespace tideline::test {

Result<events::EventLog> read_event_log(const std::string& path, events::AtDamage at_damage,
                                        Progress& progress) {
  TIDELINE_TRY(events::LogSource source, events::LogSource::open(path, at_damage, progress));
  events::EventLog log;
  events::RecordBlock block;
  while (source.next(block)) {
    if (!progress.report("reading logs", static_cast<std::int64_t>(source.bytes_read()),
                         static_cast<std::int64_t>(source.bytes_total()))) {
      return cancelled();
    }
    log.add_file(block.file, source.file(block.file));
    for (events::EventRows& rows : events::decode_events(block)) log.add(std::move(rows));
    if (log.has_ended(block.file)) source.end_file(block.file);
  }
  source.finish();
  source.report_to(log);
  log.sort_rows();
  return log;
}

}  // namespace tideline::test
