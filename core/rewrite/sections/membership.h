// The section of every op of a training step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/levels.h"
#include "core/base/error.h"
#include "core/rewrite/sections/step_facts.h"

namespace tideline::sections {

inline constexpr int kNoSection = -1;
/// Computed again by every run that reads it: it depends on nothing but placeholders and what does
/// not vary, and only the backward pass reads it.
inline constexpr int kEverySection = -2;

/// By op. Sections are counted in forward order; the runs of the backward pass go from the last to
/// the first. Invariant: a backward op does not run before the ops that it reads.
struct Membership {
  int count = 0;
  /// Of an op that varies and does not depend on a gradient: the section whose run computes it
  /// again; kNoSection if its value is always taken from the forward run; or kEverySection.
  std::vector<int> forward;
  /// Of an op that depends on a gradient and varies: the section in whose run it is computed;
  /// kNoSection for all others.
  std::vector<int> backward;
};

/// By op, in forward order: the section of forward ops that vary, given by `scopes`; kNoSection for
/// all others. An op belongs to the longest of the scopes that it is in. Errors: kNotFound for a
/// scope without a forward op of the step. Precondition: no scope is given twice.
[[nodiscard]] Result<std::vector<int>> sections_by_scope(const StepFacts& facts,
                                                         const std::vector<std::string>& scopes);

/// The borders that `levels` names: "40" or the ranges "0:40,40:80", which must adjoin. Errors:
/// kInvalidArgument.
[[nodiscard]] Result<std::vector<std::int32_t>> parse_borders(
    const std::vector<std::string>& levels);
/// The same by level: section k begins at borders[k - 1]. A loop belongs to the section of its last
/// Enter, a conditional to the section of its last Switch. `borders` ascend. Errors: kNotFound for
/// a section without ops.
[[nodiscard]] Result<std::vector<int>> sections_by_level(const StepFacts& facts,
                                                         std::span<const std::int32_t> borders);

/// Completes the sections of forward ops, of `count` sections. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] Membership complete(const StepFacts& facts, std::vector<int> forward, int count);

}  // namespace tideline::sections
