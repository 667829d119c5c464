// Tested by unit/rewrite/lms2/tune_test.cc and the golden cases of tune.
#include "core/rewrite/search.h"

#include <fmt/format.h>

namespace tideline {

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
