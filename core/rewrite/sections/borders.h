// Searches for the levels at which to cut a step, so that its runs need little memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/rewrite/sections/cycle_memory.h"

namespace tideline::sections {

struct FoundBorders {
  std::vector<std::int32_t> borders;  ///< levels, ascending
  Bytes largest = 0;                  ///< the largest peak of a run, resident memory included
};

/// Borders for `count` sections with a small largest peak. Errors: kInvalidArgument if the forward
/// pass has fewer places to cut; an error of cut_step or order_phase if it cannot be cut at enough
/// of them; kCancelled. Cost: up to kMostTrials cuts and simulations, and as many cuts if the first
/// cannot be made. Thread: pure.
[[nodiscard]] Result<FoundBorders> find_borders(const StepFacts& facts, const VariableUses& uses,
                                                const StepGraph& step, int count,
                                                Progress& progress);
inline constexpr int kMostTrials = 150;

/// The fewest sections of which every run stays within `limit` bytes, and their borders. Errors:
/// kOverBudget with the best that was found; otherwise as above. Cost: find_borders for each number
/// of sections up to kMostSections.
[[nodiscard]] Result<FoundBorders> find_borders_within(const StepFacts& facts,
                                                       const VariableUses& uses,
                                                       const StepGraph& step, Bytes limit,
                                                       Progress& progress);
inline constexpr int kMostSections = 16;

}  // namespace tideline::sections
