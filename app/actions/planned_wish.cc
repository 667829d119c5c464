// Tested by unit/actions/copy_as_test.cc and integration/copy_as_test.py.
#include "app/actions/planned_wish.h"

namespace tideline::app {

Wish planned_wish(const Viewer& viewer) {
  const GraphDocument& graph = viewer.graph();
  Wish wish = graph.wish();
  const auto& tuned = graph.snapshot()->planned.tuned;
  if (!graph.is_stale() && tuned && tuned->necessary) adopt_found(*graph.snapshot(), wish.policy);
  return wish;
}

}  // namespace tideline::app
