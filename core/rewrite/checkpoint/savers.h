// Finds the savers of a graph: which ops save and restore under which filename.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"

namespace tideline::checkpoint_ops {

/// Ops that make one checkpoint: a SaveV2 alone, or the shards that a MergeV2Checkpoints joins.
struct Save {
  std::vector<OpId> shards;  ///< SaveV2, in the order of the merge
  OpId merge;                ///< invalid for one that writes under the filename itself
};

struct Saver {
  std::string name;   ///< the scope of the filename's op, or its whole name
  TensorId filename;  ///< the prefix of a checkpoint is fed to it
  std::vector<Save> saves;
  std::vector<OpId> restores;  ///< RestoreV2, in file order
};

struct FoundSavers {
  std::vector<Saver> savers;  ///< in the order of their first op
  std::vector<OpId> others;   ///< SaveV2 and RestoreV2 of no saver: they read a checkpoint that is
                              ///< there, or write one of their own
};

/// The savers that `collections` name (saver_names.h), and further filenames under which the graph
/// both saves and restores. Every saver has at least one op.
/// Errors: as plan_checkpoint. Cost: O(ops + edges).
[[nodiscard]] Result<FoundSavers> find_savers(const Graph& graph, const Collections& collections,
                                              const FunctionLibrary* functions);

/// "'save/SaveV2' (SaveV2)".
[[nodiscard]] std::string shown(const Graph& graph, OpId op);

}  // namespace tideline::checkpoint_ops
