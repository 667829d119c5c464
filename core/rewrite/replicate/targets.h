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

struct Targets {
  std::vector<TensorId> split;
  std::optional<TensorId> loss;
  OpId train_op;  ///< invalid when there is none
  std::vector<Prediction> predictions;
  std::vector<Metric> metrics;
};

/// Precondition: `options` are valid. Errors: kNotFound for a name that is not in the graph;
/// kInvalidArgument for a tensor, key or metric named twice.
[[nodiscard]] Result<Targets> find_targets(const Graph& graph, const ReplicateOptions& options);

}  // namespace tideline::replicate
