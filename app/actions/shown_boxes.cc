// Tested by unit/actions/commands_scopes_test.cc.
#include "app/actions/shown_boxes.h"

#include <memory>

namespace tideline::app {

const render::ScopeBoxes& shown_boxes(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  const auto& snapshot = viewer.graph().snapshot();
  const std::string& loop = viewer.view.boxes.loop;
  if (!cache.boxes || cache.boxes_of != snapshot->shown || cache.boxes_loop != loop) {
    cache.boxes = std::make_shared<const render::ScopeBoxes>(
        render::find_scope_boxes(snapshot->scene(), loop));
    cache.boxes_of = snapshot->shown;
    cache.boxes_loop = loop;
  }
  return *cache.boxes;
}

bool has_box(Viewer& viewer, std::string_view path) {
  return shown_boxes(viewer).find(path).has_value() ||
         viewer.graph().snapshot()->shown->graph().find(path).valid();
}

void show_loop(Viewer& viewer, std::string loop) {
  render::ScopesPart& part = viewer.view.boxes;
  if (part.loop == loop) return;
  part.open_elsewhere[part.loop] = std::move(part.open);
  part.loop = std::move(loop);
  viewer.view.scopes = {};
  part.y_0_1 = 0.5;
  if (const auto before = part.open_elsewhere.find(part.loop);
      before != part.open_elsewhere.end()) {
    part.open = std::move(before->second);
    return;
  }
  part.open =
      render::open_at_first(viewer.graph().snapshot()->scene(), shown_boxes(viewer), part.loop);
}

}  // namespace tideline::app
