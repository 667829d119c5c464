// Tested by unit/engine/search_test.cc.
#include "app/engine/search.h"

#include <algorithm>

#include "app/engine/search_terms.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/overrides.h"

namespace tideline::app {
Result<FoundOps> search_ops(const OpenedGraph& opened, std::string_view query) {
  TIDELINE_TRY(const std::vector<OpTest> tests, search_terms(opened, query));
  FoundOps result;
  if (tests.empty()) return result;
  for (const OpId op : opened.graph().ops()) {
    const bool is_hit =
        std::all_of(tests.begin(), tests.end(), [op](const OpTest& test) { return test(op); });
    if (!is_hit) continue;
    ++result.total;
    if (result.ops.size() < kMostHits) result.ops.push_back(op);
  }
  return result;
}

Result<TensorId> find_named(const OpenedGraph& opened, const std::string& name) {
  const Graph& graph = opened.graph();
  if (const OpId op = graph.find(name); op.valid()) return TensorId{op, 0};
  if (const auto tensor = find_tensor(graph, opened.tensors, name)) return *tensor;
  return fail(Code::kNotFound,
              "there is no op or tensor '{}'{}; expected a name such as 'conv1/Relu'",
              printable(name), nearest_ops(graph, name));
}

}  // namespace tideline::app
