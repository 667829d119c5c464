// Parameters of LMS version 2, under the reference's names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/tensor_options.h"

namespace tideline {

/// Scope filters are prefixes of op names, type filters op types.
struct OpFilter {
  std::vector<std::string> scopes = {};
  std::vector<std::string> types = {};
  [[nodiscard]] bool empty() const { return scopes.empty() && types.empty(); }
  friend bool operator==(const OpFilter&, const OpFilter&) = default;
};

struct Lms2Options {
  int swapout_threshold = -1;  ///< levels; consumers further away than this are swapped
  int swapin_ahead = -1;       ///< levels that a swap-in is triggered before its first consumer
  int swapin_groupby = -1;     ///< levels; consumers this near to each other share a swap-in
  int sync_mode = 0;           ///< bit 0: swap-out, bit 1: swap-in waits for the computation
  std::vector<std::string> serialization =
      {};  ///< Python slices or indices of levels: "60:64", "-1"
  std::optional<Bytes> serialization_by_size = {};
  std::optional<std::int64_t> batch_size = {};
  std::vector<GivenShape> shapes = {};         ///< of ops whose shape the file does not say
  const FunctionLibrary* functions = nullptr;  ///< bodies of called functions, for their shapes
  const MeasuredSizes* measured = nullptr;     ///< of a traced step
  std::string cpu_device = "/cpu:0";
  std::optional<std::string> gpu_device = {};
  bool is_training = true;
  bool is_keras = false;
  OpFilter excl_output = {}, excl_input = {}, incl_output = {}, incl_input = {};
  /// Tensors ("op:slot") that stay, and tensors that go, whatever filters and threshold say. A copy
  /// takes a level, so consumers of the next level read a swapped tensor directly all the same.
  std::vector<std::string> keep_tensors = {}, swap_tensors = {};
  /// Leave out control edges from ops that a conditional may skip. The reference makes them; what
  /// waits for such an op then does not run either.
  bool guard_conditionals = false;
  bool explain = false;  ///< also say why every other tensor was not swapped

  [[nodiscard]] bool syncs_swap_ins() const { return sync_mode == 2 || sync_mode == 3; }
  [[nodiscard]] bool syncs_swap_outs() const { return sync_mode == 1 || sync_mode == 3; }
  friend bool operator==(const Lms2Options&, const Lms2Options&) = default;
};

/// Whether the values make sense by themselves, without a graph.
/// Errors: kInvalidArgument naming the command line's option and what was expected.
[[nodiscard]] Status validate(const Lms2Options& options);

/// The levels of [0, level_count) that a Python slice or index selects, ascending.
/// Errors: kInvalidArgument for text that is neither.
[[nodiscard]] Result<std::vector<int>> select_levels(const std::string& text, int level_count);

}  // namespace tideline
