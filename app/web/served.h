// The sessions that a server holds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "app/session/shared_graphs.h"
#include "app/session/viewer.h"
#include "app/web/uploads.h"
#include "render/model/intent.h"
#include "render/model/view_cache.h"

namespace tideline::web {

/// Tells those who wait that a session may have news. Thread: any.
class Signal {
 public:
  void give();
  /// Everybody who waits, now or later, returns at once.
  void end();
  [[nodiscard]] std::uint64_t count() const;
  /// Waits until it was given more than `count` times; false at the deadline and at the end.
  bool wait(std::uint64_t count, std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] bool has_ended() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable given_;
  std::uint64_t count_ = 0;
  bool has_ended_ = false;
};

/// A session with its one view. Everything but `id`, `signal` and `last_used` is for who holds
/// `mutex`, for as long as a calculation takes; who waits for a job lets go of it.
struct Served {
  Served(std::string name, std::shared_ptr<session::SharedGraphs> shared);

  const std::string id;
  Signal signal;
  std::atomic<std::chrono::steady_clock::time_point> last_used;

  std::mutex mutex;
  session::Session session;
  session::Viewer viewer;
  ui::ViewCache cache;
  ui::Intents resume;  ///< what is to be done once the graph is open
  std::vector<std::shared_ptr<Upload>> uploads;
  std::uint64_t revision = 1;  ///< of all that a state says; grows

  /// Takes over the results of jobs; to be called first by whoever takes the mutex.
  void poll();
  /// Whether its file is still being read.
  [[nodiscard]] bool is_opening() const;
  /// Polls until `is_done`, the deadline, or the end of the session. Lets go of `lock`, which holds
  /// the mutex, while it waits, so that others get the state meanwhile.
  void wait_until(std::unique_lock<std::mutex>& lock,
                  std::chrono::steady_clock::time_point deadline,
                  const std::function<bool()>& is_done);
  /// A file takes a moment to be read, and who asks straight after opening it means what will be
  /// there.
  void wait_until_read(std::unique_lock<std::mutex>& lock,
                       std::chrono::steady_clock::time_point deadline) {
    wait_until(lock, deadline, [this] { return !is_opening(); });
  }
  /// `text` with the names of uploads instead of the paths by which they are opened.
  [[nodiscard]] std::string shown(std::string text) const;

 private:
  std::uint64_t seen_journal_ = 0;
  std::string seen_job_;
};

/// At most kMost sessions. Thread: any.
class Sessions {
 public:
  static constexpr std::size_t kIdleMinutes = 60;

  explicit Sessions(std::size_t most) : most_(most) {}

  /// A new session in place of the one that was idle longest, if that was for an hour. Null: there
  /// are too many.
  [[nodiscard]] std::shared_ptr<Served> add();
  [[nodiscard]] std::shared_ptr<Served> find(const std::string& id);
  bool remove(const std::string& id);
  /// Nobody waits any more.
  void end();
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  std::size_t most_;
  std::shared_ptr<session::SharedGraphs> shared_ = std::make_shared<session::SharedGraphs>();
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Served>> sessions_;
  bool has_ended_ = false;
};

}  // namespace tideline::web
