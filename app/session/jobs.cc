// Tested by unit/session/jobs_test.cc.
#include "app/session/jobs.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace tideline::app {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kWakePause{50};

}  // namespace

// Passes progress out of a job, and cancellation into it.
class Jobs::Report final : public Progress {
 public:
  Report(Jobs& jobs, const std::stop_token& stop) : jobs_(jobs), stop_(stop) {}

  bool report(std::string_view stage, std::int64_t done, std::int64_t total) override {
    if (stop_.stop_requested()) return false;
    {
      const std::lock_guard lock(jobs_.mutex_);
      Running& running = *jobs_.running_;
      if (running.is_dropped || running.is_cancelled) return false;
      if (running.stage != stage) running.stage = stage;
      running.done_0_1 = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1;
    }
    const auto now = SteadyClock::now();
    if (now - last_wake_ >= kWakePause) {
      last_wake_ = now;
      jobs_.wake();
    }
    return true;
  }

 private:
  Jobs& jobs_;
  const std::stop_token& stop_;
  SteadyClock::time_point last_wake_ = SteadyClock::now();
};

Jobs::Jobs(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

Jobs::~Jobs() {
  thread_.request_stop();
  thread_.join();
}

void Jobs::wake() const {
  if (wake_) wake_();
}

void Jobs::start(Job job) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(job));
  changed_.notify_all();
}

void Jobs::replace(Job job) {
  const std::lock_guard lock(mutex_);
  drop_locked(job.kind);
  queue_.push_back(std::move(job));
  changed_.notify_all();
}

void Jobs::drop(JobKind kind) {
  const std::lock_guard lock(mutex_);
  drop_locked(kind);
}

void Jobs::drop_locked(JobKind kind) {
  std::erase_if(queue_, [&](const Job& job) { return job.kind == kind; });
  std::erase_if(done_, [&](const Done& done) { return done.kind == kind; });
  if (running_ && running_->kind == kind) running_->is_dropped = true;
}

void Jobs::cancel() {
  const std::lock_guard lock(mutex_);
  if (running_) running_->is_cancelled = true;
}

bool Jobs::take() {
  bool has_taken = false;
  while (true) {
    Finish finish;
    {
      // One by one: a Finish may drop those behind it.
      const std::lock_guard lock(mutex_);
      if (done_.empty()) return has_taken;
      finish = std::move(done_.front().finish);
      done_.pop_front();
    }
    has_taken = true;
    if (finish) finish();
  }
}

bool Jobs::is_idle() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty() && !running_ && done_.empty();
}

bool Jobs::has(JobKind kind) const {
  const std::lock_guard lock(mutex_);
  return (running_ && running_->kind == kind && !running_->is_dropped) ||
         std::any_of(queue_.begin(), queue_.end(),
                     [&](const Job& job) { return job.kind == kind; }) ||
         std::any_of(done_.begin(), done_.end(),
                     [&](const Done& done) { return done.kind == kind; });
}

void Jobs::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !done_.empty() || (queue_.empty() && !running_); });
}

std::optional<ui::JobStatus> Jobs::status() const {
  const std::lock_guard lock(mutex_);
  if (!running_ || running_->kind == JobKind::kFollow || running_->kind == JobKind::kImages) {
    return std::nullopt;
  }
  return ui::JobStatus{running_->title, running_->stage, running_->done_0_1};
}

void Jobs::work(const std::stop_token& stop) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return !queue_.empty(); })) return;
      if (stop.stop_requested()) return;
      job = std::move(queue_.front());
      queue_.pop_front();
      running_ = Running{job.kind, job.title, {}};
    }
    Report report(*this, stop);
    Finish finish = run(job, report);
    job = {};  // what it holds on to must not outlive the lock below
    {
      const std::lock_guard lock(mutex_);
      if (!running_->is_dropped) done_.push_back({running_->kind, std::move(finish)});
      running_.reset();
      changed_.notify_all();
    }
    wake();
  }
}

// The libraries below may run out of memory; the window outlives that.
Finish Jobs::run(Job& job, Progress& progress) {
  try {
    return job.work(progress);
  } catch (const std::bad_alloc&) {
    return job.failed({Code::kIo, "out of memory"});
  } catch (const std::exception& error) {
    return job.failed({Code::kInternal, fmt::format("internal error: {}", error.what())});
  }
}

}  // namespace tideline::app
