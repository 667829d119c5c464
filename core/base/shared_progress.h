// Progress of work that several threads do side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "core/base/progress.h"

namespace tideline {

/// Passes on what the first of the workers that are still at work reports; the reports of the
/// others repeat it, so that all of them notice when the work is cancelled. Thread: any; `to` is
/// called by one thread at a time.
class SharedProgress {
 public:
  explicit SharedProgress(Progress& to) : to_(to) {}

  /// From now on every report cancels.
  void stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }

  /// One of the workers, ranked by when it was made. It must not outlive what it reports to.
  class Worker final : public Progress {
   public:
    explicit Worker(SharedProgress& shared) : shared_(shared), rank_(shared.begin()) {}
    ~Worker() override { shared_.end(rank_); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    bool report(std::string_view stage, std::int64_t done, std::int64_t total) override {
      return shared_.report(rank_, stage, done, total);
    }

   private:
    SharedProgress& shared_;
    int rank_;
  };

 private:
  int begin() {
    const std::lock_guard lock(mutex_);
    at_work_.insert(next_);
    return next_++;
  }
  void end(int rank) {
    const std::lock_guard lock(mutex_);
    at_work_.erase(rank);
  }
  bool report(int rank, std::string_view stage, std::int64_t done, std::int64_t total) {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return false;
    if (rank == *at_work_.begin()) {
      stage_ = stage;
      done_ = done;
      total_ = total;
    }
    is_stopped_ = !to_.report(stage_, done_, total_);
    return !is_stopped_;
  }

  Progress& to_;
  std::mutex mutex_;
  std::set<int> at_work_;
  int next_ = 0;
  bool is_stopped_ = false;
  std::string stage_;
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace tideline
