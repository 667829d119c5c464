// Prepares a graph for training: finds initialisers, variables and the placeholders to feed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/cycle.h"
#include "core/io/document.h"
#include "core/runtime/captured_variables.h"
#include "core/runtime/feeds.h"
#include "core/runtime/messages.h"
#include "core/runtime/start_values.h"

namespace tideline::runtime {

/// What to run, as given by the user.
struct TrainingRequest {
  std::string train;               ///< an op
  std::string loss;                ///< a tensor: "loss/Mean", "loss/Mean:0"
  std::vector<std::string> inits;  ///< ops; empty: initialisers are searched for
  std::optional<std::int64_t> seed;
  /// Numbering of random ops by another graph (seeds.h); empty: by this graph.
  std::vector<std::string> seed_order;
  /// Checkpoint that variables start from; empty: from what the initialisers give them.
  std::string from;
  /// Handles that get variables of their own; others that the step needs are refused.
  std::vector<CapturedVariable> captured;
  /// Checkpoint that captured variables start from if `from` is empty; empty: none.
  std::string captured_from;
  std::optional<Cycle> cycle;             ///< a step is these runs; empty: one run of `train`
  std::vector<std::string> op_libraries;  ///< with ops that TensorFlow itself does not have
};

/// A variable whose value can be read.
struct TrainedVariable {
  std::string name;
  TensorName read;     ///< the tensor that is its value
  TensorName initial;  ///< the input of its assignment that can be fed; empty op: none
  std::string assign;  ///< the op that assigns it
};

/// A graph prepared for a session.
struct Training {
  std::string graph_def;  ///< the file's GraphDef with seeds and ops that read variables added
  std::string train;
  TensorName loss;
  std::vector<std::string> initialisers;
  std::vector<TrainedVariable> variables;  ///< sorted by name
  std::vector<std::string> random_ops;     ///< sorted
  std::vector<CapturedVariable> captured;  ///< of the request; assigned after the initialisers
  StartValues start;                       ///< assigned after those
  std::int32_t cpu_devices = 1;            ///< that the graph names (device_name.h)
  std::int64_t unseeded = 0;               ///< random ops that draw other numbers in each run
  std::optional<Cycle> cycle;              ///< of the request; its ops are in the graph
  std::vector<std::string> op_libraries;   ///< of the request

  /// Captured variables that no checkpoint gives a value.
  [[nodiscard]] std::int64_t made_up() const;
};

/// Prepares the graph of `document`. Initialisers are `inits`; else the ops VARIABLE/Assign of type
/// Assign or AssignVariableOp, by name; else the collection "init_op"; followed by the collection
/// "table_initializer". Variables are ops of type VariableV2, Variable, VarHandleOp, and those that
/// take the place of captured handles. Errors: kNotFound for an op or tensor that is not in the
/// graph, kUnsupported for a step with ops that only GPUs have (kCopyToHost), kCancelled, those of
/// write_document, those of find_start_values. The ops of a cycle must be in the graph, too. Other
/// messages begin with the document's path.
[[nodiscard]] Result<Training> prepare_training(const io::Document& document,
                                                const TrainingRequest& request, Progress& progress);

/// How many of the random ops a step of `training` runs, those in functions included: their numbers
/// go on from step to step, and begin anew in another session. Cost: O(ops + edges).
[[nodiscard]] std::int64_t random_ops_of_step(const io::Document& document,
                                              const Training& training);

/// By feed: the tensor that it feeds. Errors: kNotFound for a tensor that is not in the graph;
/// kInvalidArgument when a placeholder has another type or shape, when two feeds name the same
/// tensor, or when the step needs placeholders that are not fed, naming all of them; kUnsupported
/// when it needs one that cannot be fed: a resource, as in graphs extracted from TensorFlow 2, or a
/// string.
[[nodiscard]] Result<std::vector<TensorName>> match_feeds(const io::Document& document,
                                                          const TrainingRequest& request,
                                                          const std::vector<Feed>& feeds);

}  // namespace tideline::runtime
