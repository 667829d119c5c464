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

}  // namespace tideline::render
