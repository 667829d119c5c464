// The run of every op that may run only once in a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/sections/membership.h"
#include "core/rewrite/sections/step_facts.h"

namespace tideline::sections {

inline constexpr int kForwardRun = -1;
inline constexpr int kNowhere = -2;

/// Runs are numbered as their sections; the forward run comes first, then the last section. Facts
/// and membership must outlive it. Thread: not shared.
class Homes {
 public:
  Homes(const StepFacts& facts, const Membership& membership);

  /// The ops of the step that run once, by id.
  [[nodiscard]] const std::vector<OpId>& ops() const { return once_; }
  /// The run of an op that runs once: of ops that hand each other what cannot be cut the same; of
  /// updates the last run that computes one of their gradients; of others the last section that
  /// they read from. As of the last `update`.
  [[nodiscard]] int of(OpId op) const { return home_[op.index()]; }
  /// The run of an op that is computed from gradients.
  [[nodiscard]] int backward(OpId op) const;

  /// Finds the homes. Cost: O(ops + edges).
  void update();

  /// Sets the home of an op for all further updates.
  void move_to_forward_run(OpId op) { home_[op.index()] = kForwardRun; }
  enum class Bound : std::uint8_t { kNew, kKnown, kContradicts };
  /// Lets `op`, and what reads what it yields, run no earlier than the run of section `run`, from
  /// the next update on. Nothing changes unless the bound is new.
  Bound run_no_earlier(OpId op, int run);
  /// Lets `op`, which is not computed from gradients, run no later than that.
  Bound run_no_later(OpId op, int run);

 private:
  void join();
  [[nodiscard]] OpId group_of(OpId op);

  const StepFacts& facts_;
  const Membership& membership_;
  std::vector<OpId> once_;
  std::vector<OpId> group_;  // by op that runs once: towards the one that stands for its group
  std::vector<int> home_;    // by op that runs once
  // By op: the largest and the smallest number of a section in whose run it may be. Later runs have
  // smaller numbers.
  std::vector<int> most_, least_;
};

}  // namespace tideline::sections
