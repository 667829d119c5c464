// Background work: one thread that runs one job after the other.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/progress.h"
#include "render/model/ui_model.h"

namespace tideline::app {

enum class JobKind : std::uint8_t {
  kOpen,
  kMeasure,
  kPlan,
  kConfirm,
  kExact,
  kExplain,
  kFit,
  kDiff,
  kWrite,
  kFollow,
  kImages,
  kLook,
  kVerify,
  kCompare,
  kPlugins
};

/// Takes over the result of a job, on the thread that owns the session.
using Finish = std::function<void()>;

struct Job {
  JobKind kind = JobKind::kOpen;
  std::string title;  ///< "Reading resnet50.meta"
  /// Runs on the worker thread. Must not share mutable state with other threads before its Finish
  /// has run.
  std::function<Finish(Progress&)> work;
  /// Returns the Finish of a job that threw.
  std::function<Finish(const Error&)> failed;
};

/// The queue and its worker thread. Thread: the owner's; only `wake` is called from the worker.
class Jobs {
 public:
  /// `wake` is called when `take` or `status` has something new, for progress at most every 50 ms.
  /// May be empty.
  explicit Jobs(std::function<void()> wake = {});
  /// Cancels the running job and waits until it has stopped.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Appends a job to the queue.
  void start(Job job);
  /// Appends a job and drops all others of its kind.
  void replace(Job job);
  /// Removes the jobs of a kind; a running one is cancelled, and its Finish is not called.
  void drop(JobKind kind);
  /// Asks the running job to stop; it finishes with kCancelled if it can.
  void cancel();

  /// Calls the Finish of every completed job, in the order in which they were started. Returns
  /// whether there was one.
  bool take();
  /// Whether nothing is queued, runs, or waits to be taken.
  [[nodiscard]] bool is_idle() const;
  /// Whether a job of this kind is queued, runs, or waits to be taken.
  [[nodiscard]] bool has(JobKind kind) const;
  /// Blocks until there is something to take or nothing to wait for.
  void wait();
  /// The running job that somebody waits for, or nullopt: looking at a log twice a second is none,
  /// nor are the images that come while somebody scrolls.
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

}  // namespace tideline::app
