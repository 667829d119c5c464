// Which ops nobody needs once the shards of savers are saved by one op.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/rewrite/checkpoint/savers.h"

namespace tideline::checkpoint_ops {

/// The ops on the way to the prefixes of the shards of a merged save, and between shards and merge.
/// In file order, without shards and merge.
struct Needless {
  std::vector<OpId> between;
  std::vector<OpId> removed;  ///< those that can go
  /// Those that run after a shard was saved: whoever waits for one waits for the save.
  std::set<OpId> after_save;
};

/// The `_class` attributes that name ops: which op wants to be placed with which, in file order.
struct Colocation {
  OpId op;
  OpId with;
};
/// Errors: kCorrupt for attributes that cannot be decoded. Cost: O(attribute bytes).
[[nodiscard]] Result<std::vector<Colocation>> find_colocations(const Graph& graph);

/// For every save of `saves`, which have a merge: these ops. Those that something else needs, or
/// that a collection names, stay. Cost: O(ops + edges).
[[nodiscard]] std::vector<Needless> find_needless(const Graph& graph, const Consumers& consumers,
                                                  const Collections& collections,
                                                  const std::vector<Colocation>& colocations,
                                                  const std::vector<const Save*>& saves);

}  // namespace tideline::checkpoint_ops
