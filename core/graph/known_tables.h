// Tensor tables of one graph, for several who ask for the same sizes.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// What TensorTable::build gave for `graph`, which must outlive this, as must the functions and
/// measured sizes of all options that refer to this. Thread: any; who asks for a table that is
/// being built waits for it.
class KnownTables {
 public:
  explicit KnownTables(const Graph& graph) : graph_(&graph) {}

  using Build = std::function<Result<TensorTable>()>;
  /// The table of `graph` with `options`; of another graph, what `build` gives. Errors: of `build`,
  /// which are not kept. Cost: O(known tables), or that of `build`.
  [[nodiscard]] Result<TensorTable> find_or_build(const Graph& graph, const TensorOptions& options,
                                                  const Build& build);

 private:
  struct Known {
    TensorOptions options;
    TensorTable table;
  };

  const Graph* graph_;
  std::mutex mutex_;
  std::vector<Known> tables_;
};

}  // namespace tideline
