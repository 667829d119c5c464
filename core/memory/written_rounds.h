// Which rounds of the loops of a step are written out, and which ops run in them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/memory/step_graph.h"
#include "core/memory/step_rounds.h"

namespace tideline {

/// The rounds of one loop that are written. The last is the one in which its condition is false:
/// only what is needed to find that out runs in it.
struct WrittenLoop {
  std::uint32_t parent = StepRounds::kNone;
  std::uint32_t rounds = 2;  ///< for each time that it is entered, the last included
  /// If fewer rounds are written than run: this one stands for `times`. Else times is 1.
  std::uint32_t middle = 0;
  std::int64_t times = 1;
};

/// Ops run in the rounds of a loop, or once outside of loops (round 0). The rounds of an inner loop
/// are numbered through over all rounds of the loops around it. Thread: immutable once made.
class WrittenRounds {
 public:
  static constexpr std::uint32_t kOutside = StepRounds::kNone;

  /// `step` has `rounds`, is as TensorFlow runs it, and outlives the result. Nullopt for so many
  /// loops inside each other that it would be too long. Cost: O(ops + edges).
  [[nodiscard]] static std::optional<WrittenRounds> choose(const StepGraph& step);

  /// The ops that run, as TensorFlow writes them.
  [[nodiscard]] const std::vector<OpId>& ops() const { return ops_; }
  [[nodiscard]] bool runs(OpId op) const { return runs_[op.index()]; }
  [[nodiscard]] const std::vector<WrittenLoop>& loops() const { return loops_; }
  [[nodiscard]] LoopRole role(OpId op) const {
    return op.index() < rounds_->roles.size() ? rounds_->roles[op.index()] : LoopRole::kNone;
  }
  [[nodiscard]] std::uint32_t parent(std::uint32_t loop) const {
    return rounds_->loops[loop].parent;
  }

  /// The loop whose rounds `op` runs in: of an Enter or an Exit the one around its loop.
  [[nodiscard]] std::uint32_t loop_of(OpId op) const { return around_[op.index()]; }
  /// The same, but of an Enter or an Exit its own loop.
  [[nodiscard]] std::uint32_t own_loop(OpId op) const { return own_[op.index()]; }
  /// Whether it does not run where the condition of its loop is false.
  [[nodiscard]] bool is_body(OpId op) const { return is_body_[op.index()]; }

  /// How many rounds are written of `loop` in all; 1 outside.
  [[nodiscard]] std::uint32_t count(std::uint32_t loop) const;
  [[nodiscard]] bool exists(OpId op, std::uint32_t round) const;
  /// Whether a round of `loop` runs: false where the loops around it do not enter it.
  [[nodiscard]] bool is_entered(std::uint32_t loop, std::uint32_t round) const;
  /// The rounds in which `op` runs, ascending.
  [[nodiscard]] std::vector<std::uint32_t> rounds_of(OpId op) const;
  /// The round of `loop` around a round of a loop in it; nullopt if that is not in `loop`.
  [[nodiscard]] std::optional<std::uint32_t> around(std::uint32_t loop, std::uint32_t inner,
                                                    std::uint32_t round) const;
  /// The round of `op` that an op in a round of `loop` reads: the one that both are in; of loops
  /// that the reader is not in the last.
  [[nodiscard]] std::uint32_t round_read(OpId op, std::uint32_t loop, std::uint32_t round) const;

  /// How many rounds that run one that is written stands for.
  [[nodiscard]] std::int64_t times(std::uint32_t loop, std::uint32_t round) const;
  /// How often the rounds of `loop` run in the step.
  [[nodiscard]] std::int64_t rounds_in_all(std::uint32_t loop) const;

 private:
  explicit WrittenRounds(const StepGraph& step);
  void place_ops(const StepGraph& step);
  void find_bodies(const StepGraph& step);
  [[nodiscard]] bool choose_rounds();

  const StepRounds* rounds_;
  std::vector<OpId> ops_;
  std::vector<WrittenLoop> loops_;
  std::vector<std::uint32_t> own_, around_;  // by op
  std::vector<bool> runs_, is_body_;         // by op
  std::vector<bool> is_entered_in_body_;     // by loop: by the body of the loop around it
};

}  // namespace tideline
