// Which branch of a conditional a step runs: what the user chose, and what was taken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"

namespace tideline {

/// The branch that the user chose.
struct GivenBranch {
  std::string name;   ///< of a conditional, as in Conditional::names
  bool takes = true;  ///< what its predicate is
  friend bool operator==(const GivenBranch&, const GivenBranch&) = default;
};

/// Parses an argument of --branch: "cond=true". Errors: kInvalidArgument.
[[nodiscard]] Result<GivenBranch> parse_given_branch(std::string_view text);
/// The inverse.
[[nodiscard]] std::string given_branch_text(const GivenBranch& given);
/// "cond=true,cond_1=false".
[[nodiscard]] std::string given_branches_text(const std::vector<GivenBranch>& given);

/// "true" or "false".
[[nodiscard]] std::string_view branch_name(bool takes);

enum class BranchSource : std::uint8_t {
  kLarger,  ///< of the two the one whose ops make more bytes; true if both make as many
  kGiven,
};
/// "larger", "given".
[[nodiscard]] std::string_view branch_source_name(BranchSource source);

/// What a step takes of a conditional.
struct TakenBranch {
  bool takes = true;
  /// False: neither of its branches runs, because it stands in one that is not taken, or is not
  /// needed in the step.
  bool runs = true;
  BranchSource source = BranchSource::kLarger;
  /// What the ops of each branch make on the device; [1]: when the predicate is true. Of a
  /// conditional inside only the branch that is taken counts.
  std::array<Bytes, 2> bytes = {};
  friend bool operator==(const TakenBranch&, const TakenBranch&) = default;
};

}  // namespace tideline
