// What a user has to know before using a plan.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/rewrite/parameter_names.h"

namespace tideline {

/// Every front that plans or writes shows the warnings of its plan.
struct Warning {
  std::string kind;  ///< a word for programs: "conditional", "loop", "no effect", "peak",
                     ///< "unread copies", "stuck", "fusion", "not tried"
  /// A sentence without a full stop, with names as they are in the graph; parameters as in
  /// parameter_names.h.
  std::string text;
  std::string remedy = {};               ///< the switch that avoids it; empty if there is none
  std::int64_t count = 1;                ///< how often it applies
  std::vector<std::string> places = {};  ///< names of ops, at most kMostWarningPlaces

  friend bool operator==(const Warning&, const Warning&) = default;
};
inline constexpr std::size_t kMostWarningPlaces = 10;

[[nodiscard]] inline std::string warning_text(const Warning& warning, Naming naming) {
  return with_parameter_names(warning.text, naming);
}

/// One warning of the kind for each text.
[[nodiscard]] std::vector<Warning> warnings_of(std::string_view kind,
                                               const std::vector<std::string>& texts);

/// Adds "the swaps raise the peak of device memory from 99.69 MiB to 123.43 MiB" if they do. `what`
/// is "the swaps raise" or "the plan raises".
void add_raised_peak(std::string_view what, Bytes before, Bytes after,
                     std::vector<Warning>& warnings);

}  // namespace tideline
