// How much the swaps of every parameter set move, counted without making plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/levels.h"
#include "core/memory/cost_model.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/lms2/swaps.h"

namespace tideline::lms2 {

/// Thread: immutable.
class SwapTraffic {
 public:
  struct Moved {
    std::int64_t copies_out = 0;
    std::int64_t copies_in = 0;
    double bytes_out = 0;
    double bytes_in = 0;
  };

  /// `swappable`: what choose_swaps gives with threshold 0 and group-by 0. The thresholds are the
  /// given one if it is not negative, else the smallest of every range of thresholds from 1 that
  /// give the same swaps; `groupbys` is ascending. Cost: O(groupbys x (thresholds + consumers x log
  /// thresholds)).
  SwapTraffic(const std::vector<SwapChoice>& swappable, const LevelMap& levels,
              const StepGraph& step, int given_threshold, std::vector<int> groupbys);

  [[nodiscard]] const std::vector<int>& thresholds() const { return thresholds_; }
  [[nodiscard]] const std::vector<int>& groupbys() const { return groupbys_; }
  /// By index of a threshold and of a group-by.
  [[nodiscard]] const Moved& of(std::size_t threshold, std::size_t groupby) const {
    return moved_[groupby * (thresholds_.size() + 1) + threshold];
  }
  /// The smallest group-by with the same groups: one that makes as many copies. Groups of a larger
  /// group-by are unions of groups of a smaller one.
  [[nodiscard]] std::size_t same_groups(std::size_t threshold, std::size_t groupby) const;

 private:
  void count(const SwapChoice& choice, const LevelMap& levels, double bytes);
  void add(std::size_t groupby, std::size_t from, std::size_t to, std::int64_t copies_in,
           double bytes);
  void sum_up();

  std::vector<int> thresholds_;
  std::vector<int> groupbys_;
  std::vector<Moved> moved_;  // by group-by, then threshold and one past the last
};

/// The time for which the copies occupy their links, one link after the other. Units: nanoseconds.
[[nodiscard]] double copy_ns(const SwapTraffic::Moved& moved, const DeviceProfile& profile);

}  // namespace tideline::lms2
