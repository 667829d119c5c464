// Peaks of one step by its batch size, as far as they are known.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "core/base/units.h"

namespace tideline::app {

/// Thread: any.
class KnownPeaks {
 public:
  [[nodiscard]] std::optional<Bytes> find(std::int64_t batch) const {
    const std::lock_guard lock(mutex_);
    const auto found = peaks_.find(batch);
    return found == peaks_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(std::int64_t batch, Bytes peak) {
    const std::lock_guard lock(mutex_);
    peaks_[batch] = peak;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::int64_t, Bytes> peaks_;
};

}  // namespace tideline::app
