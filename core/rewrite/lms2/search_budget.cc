#include "core/rewrite/lms2/search_budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tideline::lms2 {

double peak_limit(const SearchModel& model, double usable) {
  return model.is_faithful ? std::floor(usable) + 1 : usable;
}

Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable,
                      const MemoryBudget& budget) {
  MemoryBudget tried = budget;
  const auto fits = [&](Bytes memory) {
    tried.device = memory;
    return static_cast<double>(peak) < peak_limit(model, usable_memory(tried, model, trainable));
  };
  const Bytes shared = model.is_faithful ? peak - trainable : peak;
  const double guess =
      static_cast<double>(shared) / memory_ratio(budget, model) + static_cast<double>(trainable);
  if (guess >= static_cast<double>(std::numeric_limits<Bytes>::max() / 2)) {
    return std::numeric_limits<Bytes>::max();
  }
  // Rounding moves the bound by a few bytes at most.
  Bytes memory = std::max<Bytes>(static_cast<Bytes>(guess), 0);
  while (memory > 0 && fits(memory)) --memory;
  while (!fits(memory)) ++memory;
  return memory;
}

}  // namespace tideline::lms2
