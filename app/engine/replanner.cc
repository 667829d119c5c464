// Tested by unit/engine/snapshot_test.cc.
#include "app/engine/replanner.h"

#include <utility>

namespace tideline::app {

Replanner::Replanner(SizedGraph graph)
    : graph_(std::move(graph)),
      planner_(graph_.graph(), graph_.document().collections, graph_.options(),
               &graph_.source->facts) {}

Result<Outcome> Replanner::plan(const Policy& policy, bool explain, Progress& progress) {
  Policy wanted = policy;
  wanted.search.run = graph_.run;
  return planner_.plan(wanted, explain, progress);
}

Result<SearchResult> Replanner::tune(const Policy& policy, Progress& progress) const {
  Policy wanted = policy;
  wanted.search.run = graph_.run;
  return tideline::tune(graph_.graph(), graph_.document().collections, graph_.options(), wanted,
                        progress);
}

}  // namespace tideline::app
