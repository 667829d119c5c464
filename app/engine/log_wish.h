// Which rows of a log are wanted: by run, tag and step.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/events/event_log.h"

namespace tideline::app {

/// A range of steps, both ends included.
struct StepRange {
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool has(std::int64_t step) const { return step >= first && step <= last; }
};
/// Parses "10:20", "10:", ":20" or "10". Errors: kInvalidArgument.
[[nodiscard]] Result<StepRange> parse_steps(std::string_view text);

/// Rows of an event log. Patterns are looked for anywhere in a name; none means all.
struct LogWish {
  std::optional<NamePattern> run;
  std::optional<NamePattern> tag;
  StepRange steps;

  [[nodiscard]] bool wants_run(std::string_view name) const { return !run || run->matches(name); }
  [[nodiscard]] bool wants_tag(std::string_view name) const { return !tag || tag->matches(name); }
};

/// The series of `log` that `wish` wants and whose kind is one of `kinds` (all when empty), sorted
/// by run, tag and kind. Errors: kNotFound when a pattern matches none of the runs, or none of the
/// tags of these kinds; the message lists what there is.
[[nodiscard]] Result<std::vector<const events::Series*>> wanted_series(
    const events::EventLog& log, const LogWish& wish, std::span<const events::SeriesKind> kinds);

}  // namespace tideline::app
