// Which ops read or write the buffer of each variable, for the order of the runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/sections/step_facts.h"

namespace tideline::sections {

struct VariableAccess {
  OpId variable;
  OpId op;
  bool writes = false;
};

/// A write, and another access to the same variable.
struct AccessPair {
  OpId write;
  OpId other;
  std::size_t number = 0;  ///< the pairs are numbered from 0
};

/// Which op of a pair must come after the other; by the number of the pair.
struct PairOrder {
  std::vector<bool> write_waits;
  std::vector<bool> other_waits;
};

/// What the ops of a run wait for, inside the run.
struct Waits {
  std::vector<OpId> ops;             ///< producers before consumers, but for back edges of loops
  std::vector<std::uint32_t> first;  ///< by position in `ops`, and the end: into `inputs`
  std::vector<OpId> inputs;          ///< data and control; all are in `ops`
  bool has_loops = false;
};

/// All accesses to variables by ops of the step. A ref variable is accessed by whatever reads it
/// through Identity ops and control flow, because these hand its buffer on; a resource variable by
/// the ops that take its handle. Cost: as `order_in`. Thread: immutable.
class VariableUses {
 public:
  explicit VariableUses(const StepFacts& facts);

  /// Calls `visit` for every pair, by variable, then by write, until it returns an error.
  template <typename Visit>
  [[nodiscard]] Status for_each_pair(const Visit& visit) const {
    for (const Row& row : rows_) {
      std::size_t number = row.first_pair;
      for (std::size_t i = row.begin; i < row.end; ++i) {
        if (i == row.write) continue;
        TIDELINE_RETURN_IF_ERROR(
            visit(AccessPair{accesses_[row.write].op, accesses_[i].op, number++}));
      }
    }
    return {};
  }

  /// The order in the original step.
  [[nodiscard]] const PairOrder& original() const { return original_; }
  /// The order in a run; false for pairs of which an op is not in it. Cost: O(ops + edges) for each
  /// 64 writes of the run, and O(pairs).
  [[nodiscard]] PairOrder order_in(const Waits& waits) const;

 private:
  // A write, and the accesses to its variable.
  struct Row {
    std::size_t write = 0, begin = 0, end = 0;  // in accesses_
    std::size_t first_pair = 0;
  };

  void follow(OpId variable, std::vector<VariableAccess>& found);
  void add_rows();

  const StepFacts* facts_;
  std::vector<VariableAccess> accesses_;  // by variable, then by op; of variables that are written
  std::vector<Row> rows_;
  std::size_t pairs_ = 0;
  PairOrder original_;
  std::vector<bool> is_followed_;  // by op; all false between calls of `follow`
};

}  // namespace tideline::sections
