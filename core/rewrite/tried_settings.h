// What the search of automatic mode tried, as settings that can be taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/rewrite/policy.h"

namespace tideline {

/// A search and the policy that it was made for. Invariant: the policy is automatic, and there is
/// at least one trial. Thread: immutable.
struct TriedSettings {
  Policy policy;  ///< as requested
  SearchResult found;

  /// Whether a plan of `other` may be compared with the trials: it differs from the policy at most
  /// in what a search sets.
  [[nodiscard]] bool are_of(const Policy& other) const;
  /// The policy with the values of a trial, without a search; what was simulated for it.
  /// Precondition: `trial` < found.trials.size().
  [[nodiscard]] Policy taken(std::size_t trial) const;
  /// The first trial with the values of `used`; nullopt if there is none.
  [[nodiscard]] std::optional<std::size_t> trial_of(const Policy& used) const;
  /// In words: "threshold 100, ahead 5, group-by 0".
  [[nodiscard]] std::string text(std::size_t trial) const;
  /// What the trial takes longer than the step without swaps. 0 on a model without times.
  [[nodiscard]] std::int64_t added_ns(std::size_t trial) const;
};

}  // namespace tideline
