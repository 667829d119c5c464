// Parameters of LMS version 1, under the reference's names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/tensor_options.h"
#include "core/rewrite/lms/copy_mode.h"

namespace tideline {

/// How the trigger of a swap-in is found.
enum class ControlStrategy : std::uint8_t {
  kChainRule,    ///< forward from the source, to the backward ops of the ops visited
  kDirectOrder,  ///< by order, among the ops that lead to the consumer
};

/// The options of plan_lms1.
struct Lms1Options {
  std::vector<std::string> optimizer_scopes = {};  ///< prefixes of the names of backward ops
  std::string starting_scope = {};                 ///< prefix of names of starting ops
  std::vector<std::string> starting_op_names = {};
  /// Scopes are whole components of a name's path: "conv1" does not match "conv10/Relu".
  std::vector<std::string> excl_scopes = {}, incl_scopes = {};
  std::vector<std::string> excl_types = {}, incl_types = {};
  int n_tensors = -1;  ///< limit on the number of swapped tensors; -1: none, 0: LMS is off
  int lb = 1;          ///< orders: a swap-in is triggered at least this far before its consumer,
  int ub = 10000;      ///< and less than this
  bool fuse_swapins = false;
  ControlStrategy ctrld_strategy = ControlStrategy::kChainRule;
  bool swap_branches = false;
  int branch_threshold = 0;  ///< orders after the first forward consumer; later ones are branches
  std::string cpu_device = "/cpu:0";
  CopyMode copy_mode = CopyMode::kIdentity;
  /// Tensors ("op:slot") to keep and to swap, regardless of filters and n_tensors. A swapped tensor
  /// is read from the host by the consumers that the rules choose: backward ops, late branches.
  std::vector<std::string> keep_tensors = {}, swap_tensors = {};
  std::vector<std::string> ahead_tensors = {};  ///< "op:slot=N": N instead of `lb` for a tensor
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};         ///< for ops whose shape the file does not record
  std::vector<GivenRounds> rounds = {};        ///< of loops, for predictions
  const FunctionLibrary* functions = nullptr;  ///< bodies of called functions, for their shapes
  const MeasuredSizes* measured = nullptr;     ///< of a traced step
  KnownTables* known = nullptr;                ///< as in TensorOptions
  /// Omit control edges from ops that a conditional may skip. The reference adds them, and an op
  /// that waits for a skipped op is skipped too.
  bool guard_conditionals = false;
  /// Never wait for an op that Grappler fuses, folds or regroups (fusions.h); a tensor that nothing
  /// else wakes stays. The reference does not ask.
  bool keep_fusion = false;
  bool explain = false;  ///< also record why every other tensor was not swapped
  friend bool operator==(const Lms1Options&, const Lms1Options&) = default;
};

/// The strategy named "chain_rule" or "direct_order". Errors: kInvalidArgument.
[[nodiscard]] Result<ControlStrategy> control_strategy(const std::string& name);
[[nodiscard]] const char* name_of(ControlStrategy strategy);

/// Checks the values, as far as possible without a graph.
/// Errors: kInvalidArgument naming the parameter and what was expected.
[[nodiscard]] Status validate(const Lms1Options& options);

}  // namespace tideline
