// The files of a log as one sequence of blocks, also while training still writes to them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/event_log.h"
#include "core/events/log_folder.h"
#include "core/events/record_blocks.h"

namespace tideline::events {

/// Reads all files of a log one after the other, sorted by run and name; one is open at a time.
/// Whatever happens to a file while it is read, what was read of it stays good: a file that is cut,
/// deleted or replaced is counted in `diagnostics` and not read on. Thread: not shared; the blocks
/// may be decoded on any thread.
class LogSource {
 public:
  /// Finds the files of the event file or log folder `path`. Errors: those of find_event_files; for
  /// a file those of InputFile, and kInvalidArgument when it neither is named like an event file
  /// nor begins like one.
  [[nodiscard]] static Result<LogSource> open(const std::string& path, AtDamage at_damage,
                                              Progress& progress);

  /// Adds the files of another log, behind those that are there: their runs are called `name` or,
  /// for run R of that log, "name/R", and EventFile::log counts the logs. `next` then goes on.
  /// Errors: those of `open`; kInvalidArgument when all of its files are there already; then
  /// nothing was added.
  [[nodiscard]] Status add(const std::string& path, const std::string& name, Progress& progress);

  /// The next block; false when nothing is left for now.
  [[nodiscard]] bool next(RecordBlock& block);
  /// Reads nothing more of a file: a block of it is damaged.
  void end_file(std::uint32_t file);

  /// Looks for new files and for what was appended; `next` then goes on. Errors: kCancelled. Cost:
  /// O(files), with `new_files` also that of find_event_files.
  [[nodiscard]] Status refresh(bool new_files, Progress& progress);
  /// Whether the last refresh found something to read or to report.
  [[nodiscard]] bool has_news() const { return has_news_; }
  /// Takes what is left at the ends of files for incomplete records.
  void finish();

  /// Adds the files, and what was found since the last call: damage and diagnostics. To be called
  /// after the rows of all blocks were added.
  void report_to(EventLog& log);

  /// Whether a file is of a run of this name, or of one below it.
  [[nodiscard]] bool has_run(const std::string& name) const;
  [[nodiscard]] const EventFile& file(std::uint32_t index) const { return files_[index].file; }
  /// Bytes that were read, and those known to be there: for progress.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  [[nodiscard]] std::uint64_t bytes_total() const { return bytes_total_; }

 private:
  enum class State : std::uint8_t { kReading, kEnded, kGone };
  struct Followed {
    EventFile file;
    State state = State::kReading;
    std::optional<RecordBlocks> blocks;  ///< while it is open
    RecordBlocks::Position position;
    std::uint64_t size = 0;  ///< as far as it is known
    std::pair<dev_t, ino_t> identity;
  };

  struct Log {
    std::string path;
    std::string name;  ///< empty for the first
  };

  explicit LogSource(AtDamage at_damage) : at_damage_(at_damage) {}
  /// Of a log: errors of `open`.
  [[nodiscard]] Result<std::vector<EventFile>> find(const Log& log, Diagnostics& diagnostics,
                                                    Progress& progress) const;
  void follow(EventFile file);
  [[nodiscard]] Status open_file(Followed& followed) const;
  [[nodiscard]] Result<bool> read_block(std::uint32_t index, RecordBlock& block);
  void close_file(std::uint32_t index);
  void look_at(Followed& followed);
  void lose(Followed& followed, Severity severity, const char* kind, const std::string& why);

  std::vector<Log> logs_;
  AtDamage at_damage_;
  std::deque<Followed> files_;
  std::set<std::string> known_;  ///< paths of the files
  std::uint32_t current_ = 0;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_total_ = 0;
  bool has_news_ = false;
  std::vector<FileDamage> damage_;  ///< not reported yet
  Diagnostics diagnostics_;         ///< likewise
};

}  // namespace tideline::events
