// Parameters of LMS version 1, under the reference's names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/tensor_options.h"

namespace tideline {

/// How the op that a swap-in waits for is found.
enum class ControlStrategy : std::uint8_t {
  kChainRule,    ///< forward from the source, to the backward ops of the ops met on the way
  kDirectOrder,  ///< by order, among the ops that lead to the consumer
};

struct Lms1Options {
  std::vector<std::string> optimizer_scopes = {};  ///< prefixes of the names of backward ops
  std::string starting_scope = {};                 ///< prefix of names of starting ops
  std::vector<std::string> starting_op_names = {};
  /// Scopes are whole components of a name's path: "conv1" does not match "conv10/Relu".
  std::vector<std::string> excl_scopes = {}, incl_scopes = {};
  std::vector<std::string> excl_types = {}, incl_types = {};
  int n_tensors = -1;  ///< at most so many tensors are swapped; -1: all, 0: LMS is off
  int lb = 1;          ///< a swap-in is triggered at least so far ahead of its consumer,
  int ub = 10000;      ///< and less than so far
  bool fuse_swapins = false;
  ControlStrategy ctrld_strategy = ControlStrategy::kChainRule;
  bool swap_branches = false;
  int branch_threshold = 0;  ///< orders
  std::string cpu_device = "/cpu:0";
  /// Tensors ("op:slot") that stay, and tensors that go, whatever filters and n_tensors say. A
  /// tensor goes for those who would read it from the host by rule: backward ops, late branches.
  std::vector<std::string> keep_tensors = {}, swap_tensors = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};         ///< of ops whose shape the file does not say
  const FunctionLibrary* functions = nullptr;  ///< bodies of called functions, for their shapes
  const MeasuredSizes* measured = nullptr;     ///< of a traced step
  /// Leave out control edges from ops that a conditional may skip. The reference makes them; what
  /// waits for such an op then does not run either.
  bool guard_conditionals = false;
  bool explain = false;  ///< also say why every other tensor was not swapped
  friend bool operator==(const Lms1Options&, const Lms1Options&) = default;
};

/// The strategy of that name: "chain_rule" or "direct_order". Errors: kInvalidArgument.
[[nodiscard]] Result<ControlStrategy> control_strategy(const std::string& name);
[[nodiscard]] const char* name_of(ControlStrategy strategy);

/// Whether the values make sense by themselves, without a graph.
/// Errors: kInvalidArgument naming the command line's option and what was expected.
[[nodiscard]] Status validate(const Lms1Options& options);

}  // namespace tideline
