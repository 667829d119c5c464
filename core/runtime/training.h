// What of a graph is run: which ops initialise it, which train it, what it must be fed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/runtime/feeds.h"
#include "core/runtime/messages.h"

namespace tideline::runtime {

/// What the user wants to run.
struct TrainingRequest {
  std::string train;               ///< an op
  std::string loss;                ///< a tensor: "loss/Mean", "loss/Mean:0"
  std::vector<std::string> inits;  ///< ops; empty: initialisers are looked for
  std::optional<std::int64_t> seed;
  /// Numbers random ops as another graph does (seeds.h); empty: as this one does.
  std::vector<std::string> seed_order;
};

/// A variable whose value can be read.
struct TrainedVariable {
  std::string name;
  TensorName read;     ///< the tensor that is its value
  TensorName initial;  ///< the input of its assignment that can be fed; no op: it has none
  std::string assign;  ///< the op that assigns it
};

/// A graph made ready for a session.
struct Training {
  std::string graph_def;  ///< encoded: the file's, with seeds, and with ops that read variables
  std::string train;
  TensorName loss;
  std::vector<std::string> initialisers;
  std::vector<TrainedVariable> variables;  ///< sorted by name
  std::vector<std::string> random_ops;     ///< sorted
  std::int64_t unseeded = 0;               ///< random ops that draw other numbers at each run
};

/// Initialisers are: `inits`; else the ops VARIABLE/Assign of type Assign or AssignVariableOp, by
/// name; else those of the collection "init_op". Tables of the collection "table_initializer" come
/// after them. Variables are those of type VariableV2, Variable and VarHandleOp.
/// Errors: kNotFound for an op or tensor that is not in the graph, kCancelled, those of
/// write_document. Messages begin with the document's path.
[[nodiscard]] Result<Training> prepare_training(const io::Document& document,
                                                const TrainingRequest& request, Progress& progress);

/// The tensors that `feeds` feed, by feed. Errors: kNotFound for one that is not in the graph;
/// kInvalidArgument when a placeholder wants another type or shape, when two feed the same, or when
/// the step needs a placeholder that nobody feeds; the message names them all. kUnsupported when it
/// needs one that cannot be fed: a resource, as graphs cut out of TensorFlow 2 have them, or a
/// string.
[[nodiscard]] Result<std::vector<TensorName>> match_feeds(const io::Document& document,
                                                          const TrainingRequest& request,
                                                          const std::vector<Feed>& feeds);

}  // namespace tideline::runtime
