// The ops and tensors that the user named, found in the graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/rewrite/replicate/options.h"

namespace tideline::replicate {

struct Prediction {
  std::string key;
  TensorId tensor;
};

struct Metric {
  std::string name;
  TensorId value;
  OpId update;
};

/// What is split as one: a tensor, or the indices, values and shape of a sparse tensor.
struct SplitInput {
  std::vector<TensorId> tensors;

  [[nodiscard]] bool is_sparse() const { return tensors.size() > 1; }
};

struct Targets {
  std::vector<SplitInput> inputs;
  std::vector<TensorId> split;  ///< all tensors of the inputs
  std::optional<TensorId> loss;
  OpId train_op;  ///< invalid when there is none
  std::vector<Prediction> predictions;
  std::vector<Metric> metrics;
};

/// Precondition: `options` are valid, so that an entry of `split` has one tensor or three. Errors:
/// kNotFound for a name that is not in the graph; kInvalidArgument for a tensor, key or metric
/// named twice.
[[nodiscard]] Result<Targets> find_targets(const Graph& graph, const ReplicateOptions& options);

}  // namespace tideline::replicate
