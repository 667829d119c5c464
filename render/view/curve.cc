#include "render/view/curve.h"

#include <algorithm>
#include <utility>

namespace tideline::render {

Curve::Curve(std::vector<Bytes> values) : values_(std::move(values)) {
  std::vector<std::uint32_t> finer(values_.size());
  for (std::uint32_t i = 0; i < finer.size(); ++i) finer[i] = i;
  while (finer.size() > 1) {
    std::vector<std::uint32_t> coarser;
    coarser.reserve((finer.size() + 1) / 2);
    for (std::size_t i = 0; i < finer.size(); i += 2) {
      coarser.push_back(i + 1 < finer.size() ? better(finer[i], finer[i + 1]) : finer[i]);
    }
    tables_.push_back(coarser);
    finer = std::move(coarser);
  }
}

std::uint32_t Curve::better(std::uint32_t a, std::uint32_t b) const {
  if (values_[a] != values_[b]) return values_[a] > values_[b] ? a : b;
  return std::min(a, b);
}

Bytes Curve::at(std::int32_t position) const {
  if (position < 0 || position >= size()) return 0;
  return values_[static_cast<std::size_t>(position)];
}

std::int32_t Curve::largest(std::int32_t begin, std::int32_t end) const {
  auto from = static_cast<std::uint32_t>(std::clamp(begin, 0, size()));
  const auto to = static_cast<std::uint32_t>(std::clamp(end, 0, size()));
  if (from >= to) return -1;
  std::uint32_t best = from;
  while (from < to) {
    // The widest table entry that begins here and ends in time.
    std::size_t width = 0;
    while (width < tables_.size() && from % (2U << width) == 0 && to - from >= (2U << width)) {
      ++width;
    }
    best = better(best, width == 0 ? from : tables_[width - 1][from >> width]);
    from += 1U << width;
  }
  return static_cast<std::int32_t>(best);
}

// On an axis of time the unedited graph may have another order.
Curve curve_of_steps(const std::vector<Bytes>& by_step, const std::vector<std::int32_t>& positions,
                     std::int32_t count, Bytes before_first, std::vector<std::int32_t>* step_at,
                     bool lasts) {
  std::vector<std::int32_t> best(static_cast<std::size_t>(count), -1);
  const std::size_t steps = std::min(by_step.size(), positions.size());
  const auto raise = [&](std::int32_t position, std::size_t step) {
    const auto at = static_cast<std::size_t>(position);
    if (at >= best.size()) return;
    std::int32_t& known = best[at];
    if (known < 0 || by_step[step] > by_step[static_cast<std::size_t>(known)]) {
      known = static_cast<std::int32_t>(step);
    }
  };
  std::int32_t reached = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    raise(positions[step], step);
    if (!lasts) continue;
    const std::int32_t until = step + 1 < steps ? positions[step + 1] : count - 1;
    while (reached < until) raise(++reached, step);
  }
  std::vector<Bytes> values(best.size(), before_first);
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i] < 0 && i > 0) best[i] = best[i - 1];
    if (best[i] >= 0) values[i] = by_step[static_cast<std::size_t>(best[i])];
  }
  if (step_at != nullptr) *step_at = std::move(best);
  return Curve(std::move(values));
}

}  // namespace tideline::render
