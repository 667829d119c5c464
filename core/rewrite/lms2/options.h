// Parameters of LMS version 2, under the reference's names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/tensor_options.h"
#include "core/rewrite/lms/copy_mode.h"

namespace tideline {

class GraphFacts;

/// Scope filters are prefixes of op names, type filters op types.
struct OpFilter {
  std::vector<std::string> scopes = {};
  std::vector<std::string> types = {};
  [[nodiscard]] bool empty() const { return scopes.empty() && types.empty(); }
  friend bool operator==(const OpFilter&, const OpFilter&) = default;
};

/// The options of plan_lms2.
struct Lms2Options {
  int swapout_threshold = -1;  ///< levels; consumers further away than this are swapped
  int swapin_ahead = -1;       ///< levels; how long before its first consumer a swap-in may start
  int swapin_groupby = -1;     ///< levels; consumers at most this far apart share a swap-in
  int sync_mode = 0;           ///< bit 0: computation waits for swap-outs; bit 1: swap-ins wait
  std::vector<std::string> serialization =
      {};  ///< Python slices or indices of levels: "60:64", "-1"
  std::optional<Bytes> serialization_by_size = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};         ///< for ops whose shape the file does not record
  std::vector<GivenRounds> rounds = {};        ///< of loops, for predictions
  const FunctionLibrary* functions = nullptr;  ///< bodies of called functions, for their shapes
  const MeasuredSizes* measured = nullptr;     ///< of a traced step
  KnownTables* known = nullptr;                ///< as in TensorOptions
  const GraphFacts* facts = nullptr;           ///< as in StepOptions
  std::string cpu_device = "/cpu:0";
  CopyMode copy_mode = CopyMode::kIdentity;
  std::optional<std::string> gpu_device = {};
  bool is_training = true;
  bool is_keras = false;
  OpFilter excl_output = {}, excl_input = {}, incl_output = {}, incl_input = {};
  /// Tensors ("op:slot") to keep and to swap, regardless of filters and threshold. A copy takes a
  /// level, so consumers on the next level still read a swapped tensor directly.
  std::vector<std::string> keep_tensors = {}, swap_tensors = {};
  std::vector<std::string> ahead_tensors = {};  ///< "op:slot=N": N instead of swapin_ahead
  /// Omit control edges from ops that a conditional may skip. The reference adds them, and an op
  /// that waits for a skipped op is skipped too.
  bool guard_conditionals = false;
  /// Never wait for an op that Grappler fuses, folds or regroups (fusions.h); a tensor that nothing
  /// else wakes stays. The reference does not ask.
  bool keep_fusion = false;
  /// Copy nothing back for ops that read nothing in the step that TensorFlow runs, since its graph
  /// optimizer folds them: it keeps copies whether or not something reads them.
  bool ignore_folded = false;
  /// Also swap, as one value each, the lists that loops keep for their gradients (loop_lists.h).
  /// In a graph without loops of version 1, names do not tell ops of loops then (while_names.h).
  bool swap_lists = false;
  bool explain = false;  ///< also record why every other tensor was not swapped

  [[nodiscard]] bool syncs_swap_ins() const { return sync_mode == 2 || sync_mode == 3; }
  [[nodiscard]] bool syncs_swap_outs() const { return sync_mode == 1 || sync_mode == 3; }
  friend bool operator==(const Lms2Options&, const Lms2Options&) = default;
};

/// Checks the values, as far as possible without a graph.
/// Errors: kInvalidArgument naming the parameter and what was expected.
[[nodiscard]] Status validate(const Lms2Options& options);

/// The levels of [0, level_count) that a Python slice or index selects, ascending.
/// Errors: kInvalidArgument for text that is neither.
[[nodiscard]] Result<std::vector<int>> select_levels(const std::string& text, int level_count);

}  // namespace tideline
