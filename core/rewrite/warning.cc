// Tested by unit/rewrite/warning_test.cc.
#include "core/rewrite/warning.h"

#include <fmt/format.h>

namespace tideline {

std::vector<Warning> warnings_of(std::string_view kind, const std::vector<std::string>& texts) {
  std::vector<Warning> warnings;
  for (const std::string& text : texts) warnings.push_back({std::string(kind), text});
  return warnings;
}

void add_raised_peak(std::string_view what, Bytes before, Bytes after,
                     std::vector<Warning>& warnings) {
  if (after <= before) return;
  warnings.push_back({"peak", fmt::format("{} the peak of device memory from {} to {}", what,
                                          format_bytes(before), format_bytes(after))});
}

}  // namespace tideline
