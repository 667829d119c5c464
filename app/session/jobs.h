// Work that goes on beside the window: one thread, one job after the other.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/progress.h"
#include "render/model/ui_model.h"

namespace tideline::session {

enum class JobKind : std::uint8_t { kOpen, kMeasure, kPlan, kExplain, kWrite };

/// What a job found, for the thread that owns the session: it takes the result over.
using Finish = std::function<void()>;

struct Job {
  JobKind kind = JobKind::kOpen;
  std::string title;  ///< "Reading resnet50.meta"
  /// Runs on the worker. What it touches belongs to it alone until its Finish has run.
  std::function<Finish(Progress&)> work;
  /// Makes the Finish of a job that threw.
  std::function<Finish(const Error&)> failed;
};

/// Thread: all members are for the owner's thread; only `wake` is called from the worker.
class Jobs {
 public:
  /// `wake` says that `take` or `status` has something new; called at most every 50 ms for mere
  /// progress. May be empty.
  explicit Jobs(std::function<void()> wake = {});
  /// Cancels what runs and waits until it has stopped.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Behind all others.
  void start(Job job);
  /// The newest wish of its kind wins: others of the kind never finish; one that runs is cancelled.
  void replace(Job job);
  /// Others of the kind never finish.
  void drop(JobKind kind);
  /// Asks the running job to stop; it finishes with kCancelled if it can.
  void cancel();

  /// Runs the Finish of every job that is done, in the order in which they were started. Whether
  /// there was one.
  bool take();
  /// Whether nothing is queued, runs, or waits to be taken.
  [[nodiscard]] bool is_idle() const;
  /// Whether a job of this kind is queued, runs, or waits to be taken.
  [[nodiscard]] bool has(JobKind kind) const;
  /// Sleeps until there is something to take, or nothing to wait for.
  void wait();
  /// The running job.
  [[nodiscard]] std::optional<ui::JobStatus> status() const;

 private:
  class Report;
  struct Done {
    JobKind kind;
    Finish finish;
  };
  struct Running {
    JobKind kind;
    std::string title, stage;
    double done_0_1 = -1;
    bool is_dropped = false;
    bool is_cancelled = false;
  };

  void work(const std::stop_token& stop);
  [[nodiscard]] static Finish run(Job& job, Progress& progress);
  void drop_locked(JobKind kind);
  void wake() const;

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Job> queue_;
  std::optional<Running> running_;
  std::deque<Done> done_;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace tideline::session
