// The sessions that a server holds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/engine/shared_graphs.h"
#include "app/session/session.h"
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

/// The requests that are using a session.
class Visits {
 public:
  /// `has_hung_up`: whether nobody waits for the answer any more; may be empty.
  class Visit {
   public:
    Visit(Visits& visits, std::function<bool()> has_hung_up);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    friend class Visits;
    Visits& visits_;
    const std::function<bool()> has_hung_up_;
  };
  /// Whether somebody waits for an answer. Thread: any.
  [[nodiscard]] bool has_any() const;

 private:
  mutable std::mutex mutex_;
  std::set<const Visit*> visits_;
};

/// A session with its one view. `mutex` guards everything but `id`, `uploads` and members that are
/// for any thread. It is held for a calculation, and released while waiting for a job.
struct Served {
  Served(std::string name, std::shared_ptr<app::SharedGraphs> shared,
         std::vector<std::shared_ptr<Upload>> given);

  const std::string id;
  const std::vector<std::shared_ptr<Upload>> uploads;  ///< that it has opened
  Signal signal;
  Visits visits;
  std::atomic<std::chrono::steady_clock::time_point> last_used;
  std::atomic<bool> was_left = false;  ///< its page went, at `last_used`

  std::mutex mutex;
  app::Session session;
  app::Viewer viewer;
  ui::ViewCache cache;
  ui::Intents resume;          ///< what is to be done once the graph is open
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
  /// Reading a file takes a moment; a request straight after opening it is about the file that is
  /// being read.
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

/// At most `most` sessions. A session ends when its page says so, and soon after its page went; a
/// page that is open may rest for as long as it likes, without a sign of life. So nobody can tell a
/// page that rests from one whose browser died, and where there is no place left, the session that
/// rests longest gives way: its page opens it again with the same wish once it is used. Thread:
/// any.
class Sessions {
 public:
  /// How long a session stays after its page went: for a page that is loaded again, or gone back
  /// to.
  static constexpr std::chrono::seconds kLeftLife{10};

  /// `gives_way` is told of a session that ends although its page may be there.
  explicit Sessions(std::size_t most, std::function<void(const Served&)> gives_way = {},
                    std::chrono::milliseconds left_life = kLeftLife);

  /// A new session, if need be in the place of one that was left, or of the one that rests longest.
  /// Null: somebody waits for an answer of each of them, or the server ends.
  [[nodiscard]] std::shared_ptr<Served> add(std::vector<std::shared_ptr<Upload>> uploads = {});
  /// Null if there is none. It is used again, should its page have gone.
  [[nodiscard]] std::shared_ptr<Served> find(const std::string& id);
  /// Its page went. False if there is none.
  bool leave(const std::string& id);
  bool remove(const std::string& id);
  /// Nobody waits any more.
  void end();
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  using Entries = std::map<std::string, std::shared_ptr<Served>>;
  [[nodiscard]] Entries::iterator next_to_give_way();
  void end_those_left(const std::stop_token& stop);

  const std::size_t most_;
  const std::function<void(const Served&)> gives_way_;
  const std::chrono::milliseconds left_life_;
  std::shared_ptr<app::SharedGraphs> shared_ = std::make_shared<app::SharedGraphs>();
  std::mutex mutex_;
  std::condition_variable_any someone_left_;
  Entries sessions_;
  bool has_ended_ = false;
  std::jthread ending_;  // last: it uses the rest
};

}  // namespace tideline::web
