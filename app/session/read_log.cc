// Tested by unit/session/read_log_test.cc.
#include "app/session/read_log.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/events/decode_events.h"

namespace tideline::session {
namespace {

// The threads take turns twice: to read a block, and, in the same order, to add its rows. Between
// the two they decode, each for itself.
class LogReading {
 public:
  LogReading(events::LogSource& source, events::EventLog& log, const LookAtLog& look)
      : source_(source), log_(log), look_(look) {}

  // Reads until nothing is left. `progress` is null on all threads but the caller's.
  void work(Progress* progress) {
    try {
      events::RecordBlock block;
      while (const auto turn = take(block, progress)) add(*turn, block);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      is_stopped_ = true;
      turned_.notify_all();
    }
  }

  Status result() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (is_cancelled_) return cancelled();
    return {};
  }

 private:
  std::optional<std::uint64_t> take(events::RecordBlock& block, Progress* progress) {
    const std::scoped_lock lock(reading_);
    {
      const std::scoped_lock state(mutex_);
      for (const std::uint32_t file : std::exchange(ended_, {})) source_.end_file(file);
      if (is_stopped_) return std::nullopt;
    }
    if (progress != nullptr &&
        !progress->report("reading logs", static_cast<std::int64_t>(source_.bytes_read()),
                          static_cast<std::int64_t>(source_.bytes_total()))) {
      const std::scoped_lock state(mutex_);
      is_cancelled_ = true;
      is_stopped_ = true;
      turned_.notify_all();
      return std::nullopt;
    }
    if (!source_.next(block)) return std::nullopt;
    const std::scoped_lock state(mutex_);
    log_.add_file(block.file, source_.file(block.file));
    return taken_++;
  }

  void add(std::uint64_t turn, const events::RecordBlock& block) {
    std::vector<events::EventRows> decoded = events::decode_events(block);
    std::unique_lock lock(mutex_);
    turned_.wait(lock, [&] { return is_stopped_ || added_ == turn; });
    if (is_stopped_) return;
    const bool had_ended = log_.has_ended(block.file);
    for (events::EventRows& rows : decoded) log_.add(std::move(rows));
    if (!had_ended && log_.has_ended(block.file)) ended_.push_back(block.file);
    if (look_) look_(log_);
    ++added_;
    turned_.notify_all();
  }

  std::mutex reading_;  // guards the source; taken before the other
  events::LogSource& source_;

  std::mutex mutex_;  // guards the rest
  std::condition_variable turned_;
  events::EventLog& log_;
  const LookAtLog& look_;
  std::uint64_t taken_ = 0;
  std::uint64_t added_ = 0;
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
  LogReading reading(source, log, look);
  {
    // A thread costs more than a small log.
    constexpr std::uint64_t kSmall = 2 * events::RecordBlocks::kBlockBytes;
    if (source.bytes_total() < source.bytes_read() + kSmall) threads = 1;
    std::vector<std::jthread> others;
    others.reserve(threads - 1);
    for (unsigned i = 1; i < threads; ++i) {
      others.emplace_back([&reading] { reading.work(nullptr); });
    }
    reading.work(&progress);
  }
  return reading.result();
}

Result<events::EventLog> read_log(const std::string& path, events::AtDamage at_damage,
                                  Progress& progress, unsigned threads) {
  TIDELINE_TRY(events::LogSource source, events::LogSource::open(path, at_damage, progress));
  events::EventLog log;
  TIDELINE_RETURN_IF_ERROR(read_blocks(source, log, progress, threads));
  source.finish();
  source.report_to(log);
  return log;
}

}  // namespace tideline::session
