// Tested by unit/graph/known_tables_test.cc.
#include "core/graph/known_tables.h"

#include <algorithm>

namespace tideline {
namespace {

bool give_the_same(const TensorOptions& a, const TensorOptions& b) {
  return a.batch_size == b.batch_size && a.model == b.model && a.functions == b.functions &&
         a.measured == b.measured && a.shapes == b.shapes && a.rounds == b.rounds;
}

}  // namespace

Result<TensorTable> KnownTables::find_or_build(const Graph& graph, const TensorOptions& options,
                                               const Build& build) {
  if (&graph != graph_) return build();
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(tables_.begin(), tables_.end(), [&](const Known& known) {
    return give_the_same(known.options, options);
  });
  if (found != tables_.end()) return found->table;
  TIDELINE_TRY(TensorTable table, build());
  tables_.push_back({options, table});
  return table;
}

}  // namespace tideline
