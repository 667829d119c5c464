// Tested by unit/rewrite/lms2/tune_test.cc and the golden cases of tune.
#include "core/rewrite/lms/search.h"

#include <fmt/format.h>

namespace tideline {

double memory_ratio(const MemoryBudget& budget, const SearchModel& search) {
  constexpr double kReferenceRatio = 0.9;
  return budget.ratio.value_or(search.is_faithful ? 1.0 : kReferenceRatio);
}

double usable_memory(const MemoryBudget& budget, const SearchModel& search, Bytes trainable) {
  const double shared =
      static_cast<double>(budget.device - trainable) * memory_ratio(budget, search);
  return search.is_faithful ? shared + static_cast<double>(trainable) : shared;
}

std::string missed_budget(const SearchFindings& findings, const MemoryBudget& budget) {
  return fmt::format(
      "{} The search needs {} of device memory ({} bytes); {} are given, {} too little. "
      "The largest op alone needs {}.",
      findings.failure, format_bytes(findings.smallest_feasible_bytes),
      findings.smallest_feasible_bytes, format_bytes(budget.device),
      format_bytes(findings.smallest_feasible_bytes - budget.device),
      format_bytes(findings.lower_bound_bytes));
}

}  // namespace tideline
