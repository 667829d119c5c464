// What `checkpoint` did, for people and programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph_plan.h"

namespace tideline {

/// One op of the original, and the added one that does its work.
struct ReplacedOp {
  std::string op;
  std::string by;
  std::int64_t tensors = 0;
};

struct ReplacedSaver {
  std::string name;      ///< its name scope, "save"
  std::string filename;  ///< the tensor that is fed with the prefix, "save/Const:0"
  std::vector<ReplacedOp> saves;
  std::vector<ReplacedOp> restores;
  bool is_merged = false;  ///< shards became one op
};

struct SaverRewriteReport {
  std::string backend;
  std::vector<ReplacedSaver> savers;
  /// Names of tensors in the checkpoint, sorted, each once; those that are constants of the graph.
  std::vector<std::string> tensors;
  std::vector<std::string> notices;
};

/// The edit, and what there is to say about it.
struct CheckpointPlan {
  GraphPlan edit;
  SaverRewriteReport report;
};

}  // namespace tideline
