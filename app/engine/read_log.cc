// Tested by unit/engine/read_log_test.cc.
#include "app/engine/read_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/events/decode_events.h"

namespace tideline::app {
namespace {

// The threads take turns to read a block, and decode it each for itself. Rows are added in the
// order of the blocks by whoever comes when nobody else does; rows whose turn has not come wait in
// a list, so that no thread waits for another as long as the list is short.
class LogReading {
 public:
  LogReading(events::LogSource& source, events::EventLog& log, const LookAtLog& look,
             unsigned threads)
      : source_(source), log_(log), look_(look), most_waiting_(4 * std::uint64_t{threads}) {}

  // Reads until nothing is left. `progress` is null on all threads but the caller's.
  void work(Progress* progress) {
    try {
      events::RecordBlock block;
      Decoded decoded;
      events::KeptBytes::Room room;
      while (const auto turn = take(block, decoded.file, progress)) {
        decoded.index = block.file;
        decoded.rows = events::decode_events(block, &room);
        add(*turn, std::move(decoded));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      stop();
    }
  }

  Status result() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (is_cancelled_) return cancelled();
    return {};
  }

 private:
  struct Decoded {
    std::uint32_t index = 0;  // of the file
    events::EventFile file;
    std::vector<events::EventRows> rows;
  };

  void stop() {
    is_stopped_ = true;
    added_some_.notify_all();
  }

  std::optional<std::uint64_t> take(events::RecordBlock& block, events::EventFile& file,
                                    Progress* progress) {
    const std::scoped_lock reading(reading_);
    {
      std::unique_lock lock(mutex_);
      added_some_.wait(lock, [&] { return is_stopped_ || taken_ - added_ < most_waiting_; });
      for (const std::uint32_t ended : std::exchange(ended_, {})) source_.end_file(ended);
      if (is_stopped_) return std::nullopt;
    }
    if (progress != nullptr &&
        !progress->report("reading logs", static_cast<std::int64_t>(source_.bytes_read()),
                          static_cast<std::int64_t>(source_.bytes_total()))) {
      const std::scoped_lock lock(mutex_);
      is_cancelled_ = true;
      stop();
      return std::nullopt;
    }
    if (!source_.next(block)) return std::nullopt;
    file = source_.file(block.file);
    const std::scoped_lock lock(mutex_);
    return taken_++;
  }

  void add(std::uint64_t turn, Decoded decoded) {
    std::unique_lock lock(mutex_);
    waiting_.emplace(turn, std::move(decoded));
    if (is_adding_) return;  // whoever adds looks again before it ends
    is_adding_ = true;
    while (!is_stopped_ && !waiting_.empty() && waiting_.begin()->first == added_) {
      Decoded next = std::move(waiting_.extract(waiting_.begin()).mapped());
      lock.unlock();
      const bool has_ended = add_to_log(next);
      lock.lock();
      if (has_ended) ended_.push_back(next.index);
      ++added_;
      added_some_.notify_all();
    }
    is_adding_ = false;
  }

  // True if the file ends there, at damage.
  bool add_to_log(Decoded& decoded) {
    log_.add_file(decoded.index, decoded.file);
    const bool had_ended = log_.has_ended(decoded.index);
    for (events::EventRows& rows : decoded.rows) log_.add(std::move(rows));
    if (look_) look_(log_);
    return !had_ended && log_.has_ended(decoded.index);
  }

  std::mutex reading_;  // guards the source; taken before the other
  events::LogSource& source_;

  events::EventLog& log_;  // of the thread that set is_adding_
  const LookAtLog& look_;
  const std::uint64_t most_waiting_;

  std::mutex mutex_;  // guards the rest
  std::condition_variable added_some_;
  std::uint64_t taken_ = 0;
  std::uint64_t added_ = 0;
  std::map<std::uint64_t, Decoded> waiting_;  // by turn
  bool is_adding_ = false;
  std::vector<std::uint32_t> ended_;  // files that damage was found in
  bool is_stopped_ = false;
  bool is_cancelled_ = false;
  std::exception_ptr thrown_;
};

}  // namespace

Status read_blocks(events::LogSource& source, events::EventLog& log, Progress& progress,
                   unsigned threads, const LookAtLog& look) {
  constexpr unsigned kMost = 8;
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
  // A thread costs more than a small log.
  constexpr std::uint64_t kSmall = 2 * events::RecordBlocks::kBlockBytes;
  if (source.bytes_total() < source.bytes_read() + kSmall) threads = 1;
  LogReading reading(source, log, look, threads);
  {
    std::vector<std::jthread> others;
    others.reserve(threads - 1);
    for (unsigned i = 1; i < threads; ++i) {
      others.emplace_back([&reading] { reading.work(nullptr); });
    }
    reading.work(&progress);
  }
  return reading.result();
}

std::string added_name(const events::LogSource& source, const std::string& path) {
  std::string_view part = path;
  while (part.size() > 1 && part.ends_with('/')) part.remove_suffix(1);
  const std::string name = std::filesystem::path(part).filename().string();
  std::string free = name;
  for (int number = 2; source.has_run(free); ++number) free = fmt::format("{} {}", name, number);
  return free;
}

Result<events::LogSource> open_logs(const std::vector<std::string>& paths,
                                    events::AtDamage at_damage, Progress& progress) {
  TIDELINE_TRY(events::LogSource source,
               events::LogSource::open(paths.front(), at_damage, progress));
  for (std::size_t i = 1; i < paths.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(source.add(paths[i], added_name(source, paths[i]), progress));
  }
  return source;
}

Result<events::EventLog> read_log(const std::string& path, events::AtDamage at_damage,
                                  Progress& progress, unsigned threads) {
  return read_logs({path}, at_damage, progress, threads);
}

Result<events::EventLog> read_logs(const std::vector<std::string>& paths,
                                   events::AtDamage at_damage, Progress& progress,
                                   unsigned threads) {
  TIDELINE_TRY(events::LogSource source, open_logs(paths, at_damage, progress));
  events::EventLog log;
  TIDELINE_RETURN_IF_ERROR(read_blocks(source, log, progress, threads));
  source.finish();
  source.report_to(log);
  log.sort_rows();
  return log;
}

}  // namespace tideline::app
