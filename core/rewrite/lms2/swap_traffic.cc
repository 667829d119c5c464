// Problem: a search that wants the fastest of thousands of parameter sets needs to know, before it
// makes a plan of one, about how long its copies will take.
// Idea: which consumers of a tensor read a copy depends on their distance alone. Sorted by level,
// those further away than the threshold are a suffix of the list, and the number of groups of a
// suffix is 1 + the number of gaps in it that are wider than group-by. So every tensor adds a
// constant number of copies to each range of thresholds between two of its distances.
//   consumers at distances 3, 70, 72, 200; group-by 5: thresholds 1 and 2 give 3 copies in (3; 70
//   and 72; 200), 3 to 69 give 2, 70 and 71 give 2, 72 to 199 give 1.
// Limits: counts the tensors that may be swapped, whether or not the step runs them.
// Source: own. Tested by unit/rewrite/lms2/swap_traffic_test.cc against plans.
#include "core/rewrite/lms2/swap_traffic.h"

#include <algorithm>

namespace tideline::lms2 {
namespace {

int distance(const SwapChoice& choice, const ConsumerGroup& consumer, const LevelMap& levels) {
  return levels.level(consumer.front()) - levels.level(choice.tensor.op);
}

std::vector<int> distinct_thresholds(const std::vector<SwapChoice>& swappable,
                                     const LevelMap& levels) {
  std::vector<int> thresholds = {1};
  for (const SwapChoice& choice : swappable) {
    if (choice.is_forced) continue;
    for (const ConsumerGroup& consumer : choice.groups) {
      // A distance is the first threshold that leaves this consumer out.
      thresholds.push_back(std::max(1, distance(choice, consumer, levels)));
    }
  }
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  return thresholds;
}

}  // namespace

SwapTraffic::SwapTraffic(const std::vector<SwapChoice>& swappable, const LevelMap& levels,
                         const StepGraph& step, int given_threshold, std::vector<int> groupbys)
    : thresholds_(given_threshold >= 0 ? std::vector<int>{given_threshold}
                                       : distinct_thresholds(swappable, levels)),
      groupbys_(std::move(groupbys)),
      moved_((thresholds_.size() + 1) * groupbys_.size()) {
  for (const SwapChoice& choice : swappable) {
    count(choice, levels, static_cast<double>(step.tensors[step.tensor(choice.tensor)].bytes));
  }
  sum_up();
}

// `groups` of the choice hold one consumer each, by level.
void SwapTraffic::count(const SwapChoice& choice, const LevelMap& levels, double bytes) {
  const auto index_of = [this](int threshold) {
    return static_cast<std::size_t>(
        std::lower_bound(thresholds_.begin(), thresholds_.end(), threshold) - thresholds_.begin());
  };
  for (std::size_t groupby = 0; groupby < groupbys_.size(); ++groupby) {
    std::int64_t groups = 0;
    int later = 0;  // distance of the consumer after the one at hand
    for (std::size_t i = choice.groups.size(); i-- > 0;) {
      const int here = distance(choice, choice.groups[i], levels);
      const bool is_apart =
          groups == 0 || groupbys_[groupby] <= 0 || later - here > groupbys_[groupby];
      if (is_apart) ++groups;
      later = here;
      if (choice.is_forced) continue;
      // With thresholds from the distance of the consumer before it, this one is the nearest.
      const int before = i == 0 ? 0 : distance(choice, choice.groups[i - 1], levels);
      add(groupby, index_of(before), index_of(here), groups, bytes);
    }
    if (choice.is_forced) add(groupby, 0, thresholds_.size(), groups, bytes);
  }
}

// Until sum_up, every entry holds the difference to the one before it.
void SwapTraffic::add(std::size_t groupby, std::size_t from, std::size_t to, std::int64_t copies_in,
                      double bytes) {
  if (from >= to) return;
  const std::size_t first = groupby * (thresholds_.size() + 1);
  const auto change = [&](std::size_t at, int sign) {
    Moved& moved = moved_[first + at];
    moved.copies_out += sign;
    moved.copies_in += sign * copies_in;
    moved.bytes_out += sign * bytes;
    moved.bytes_in += sign * static_cast<double>(copies_in) * bytes;
  };
  change(from, 1);
  change(to, -1);
}

void SwapTraffic::sum_up() {
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    if (i % (thresholds_.size() + 1) == 0) continue;
    moved_[i].copies_out += moved_[i - 1].copies_out;
    moved_[i].copies_in += moved_[i - 1].copies_in;
    moved_[i].bytes_out += moved_[i - 1].bytes_out;
    moved_[i].bytes_in += moved_[i - 1].bytes_in;
  }
}

std::size_t SwapTraffic::same_groups(std::size_t threshold, std::size_t groupby) const {
  std::size_t smallest = groupby;
  while (smallest > 0 &&
         of(threshold, smallest - 1).copies_in == of(threshold, groupby).copies_in) {
    --smallest;
  }
  return smallest;
}

double copy_ns(const SwapTraffic::Moved& moved, const DeviceProfile& profile) {
  constexpr double kNanosPerSecond = 1e9;
  const auto busy = [](const LinkSpeed& link, std::int64_t copies, double bytes) {
    return static_cast<double>(copies) * static_cast<double>(link.latency_ns) +
           bytes / link.bytes_per_s * kNanosPerSecond;
  };
  return busy(profile.to_host, moved.copies_out, moved.bytes_out) +
         busy(profile.to_device, moved.copies_in, moved.bytes_in);
}

}  // namespace tideline::lms2
