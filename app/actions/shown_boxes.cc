// Tested by unit/actions/commands_scopes_test.cc.
#include "app/actions/shown_boxes.h"

#include <memory>

namespace tideline::app {

const render::ScopeBoxes& shown_boxes(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  const auto& snapshot = viewer.graph().snapshot();
  if (!cache.boxes || cache.boxes_of != snapshot->shown) {
    cache.boxes =
        std::make_shared<const render::ScopeBoxes>(render::find_scope_boxes(snapshot->scene()));
    cache.boxes_of = snapshot->shown;
  }
  return *cache.boxes;
}

}  // namespace tideline::app
