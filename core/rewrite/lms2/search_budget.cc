#include "core/rewrite/lms2/search_budget.h"

#include <algorithm>
#include <limits>

namespace tideline::lms2 {

double search_budget(const SearchModel& model, Bytes device_memory, Bytes trainable, double ratio) {
  const double shared = static_cast<double>(device_memory - trainable) * ratio;
  return model.is_faithful ? shared + static_cast<double>(trainable) : shared;
}

Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable, double ratio) {
  const auto fits = [&](Bytes memory) {
    return static_cast<double>(peak) < search_budget(model, memory, trainable, ratio);
  };
  const Bytes shared = model.is_faithful ? peak - trainable : peak;
  const double guess = static_cast<double>(shared) / ratio + static_cast<double>(trainable);
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
