// What the rewriter `replicate` is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// Whose statistics go into moving averages that the forward pass writes.
enum class BatchNormUpdate : std::uint8_t {
  kFirst,  ///< the first tower's, as in the reference
  kAll,    ///< the mean over all towers
};

/// Which device holds a variable.
enum class VariableSpread : std::uint8_t {
  kFirst,     ///< the parameter device holds all of them
  kPs,        ///< each of `variable_devices` in turn, as TensorFlow's replica_device_setter
  kBalanced,  ///< the one with the fewest bytes so far, as its GreedyLoadBalancingStrategy
};

/// The options of plan_replicate. Tensors are "op:slot", or "op" for output 0.
struct ReplicateOptions {
  std::vector<std::string> devices = {};  ///< one tower for each
  /// Tensors whose first dimension is the batch; a sparse one is "indices+values+shape".
  std::vector<std::string> split = {};
  std::string loss = {};                      ///< a tensor; empty: there is none to aggregate
  std::string train_op = {};                  ///< empty: the graph is not for training
  std::vector<std::string> predictions = {};  ///< "key=tensor"
  std::vector<std::string> metrics = {};      ///< "name=value tensor=update op"
  std::string parameter_device = {};          ///< of variables and aggregation; empty: chosen
  VariableSpread variables = VariableSpread::kFirst;
  std::vector<std::string> variable_devices = {};  ///< unless `variables` is kFirst
  std::string gradient_scope = {};                 ///< names the backward pass; empty: it is found
  bool average = false;  ///< gradients and loss are means over the towers, not sums
  BatchNormUpdate batch_norm_update = BatchNormUpdate::kFirst;
  friend bool operator==(const ReplicateOptions&, const ReplicateOptions&) = default;
};

[[nodiscard]] Result<BatchNormUpdate> batch_norm_update(const std::string& name);
[[nodiscard]] const char* name_of(BatchNormUpdate update);
/// "first", "ps", "balanced". Errors: kInvalidArgument.
[[nodiscard]] Result<VariableSpread> variable_spread(const std::string& name);
[[nodiscard]] const char* name_of(VariableSpread spread);

/// The device of variables and aggregation: the given one; else the device of the only tower if
/// that is a GPU, else the first CPU of the task of the first tower.
[[nodiscard]] std::string parameter_device(const ReplicateOptions& options);

/// The names in one entry of `split`.
[[nodiscard]] std::vector<std::string> split_names(const std::string& entry);

/// Checks the values, as far as possible without a graph.
/// Errors: kInvalidArgument naming the parameter and what was expected.
[[nodiscard]] Status validate(const ReplicateOptions& options);

}  // namespace tideline
