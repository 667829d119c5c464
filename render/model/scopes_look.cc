// Tested by tests/gui/boxes_test.cc.
#include "render/model/scopes_look.h"

#include <utility>

#include "render/view/draw_list.h"
#include "render/view/level_stretch.h"

namespace tideline::ui {

render::ScopesLook scopes_look(const UiModel& model, const ViewState& view, ViewCache& cache,
                               render::Rect area) {
  const render::Scene& scene = *model.scene;
  const render::ScopesPart& part = view.boxes;
  const render::ScopesArrangement& wanted = part;
  KeptScopes& kept = cache.scopes(scene, wanted.loop);
  if (!kept.has_layout || kept.arrangement != wanted) {
    kept.layout = render::layout_scopes(scene, kept.boxes, wanted);
    kept.arrangement = wanted;
    kept.has_layout = true;
    kept.has_paint = false;
  }
  if (!kept.has_paint || kept.theme != view.theme || kept.color != part.color) {
    kept.paint = render::paint_scopes(scene, kept.boxes, kept.layout, render::palette(view.theme),
                                      part.color);
    kept.theme = view.theme;
    kept.color = part.color;
    kept.has_paint = true;
  }
  std::vector<std::string> lines;
  if (view.levels) {
    lines = render::level_stretch_lines(scene, view.device, view.levels->from, view.levels->to);
    if (view.levels->is_limit) lines.front() += ", tables are limited to them";
  }
  return {.scene = &scene,
          .boxes = &kept.boxes,
          .layout = &kept.layout,
          .paint = &kept.paint,
          .palette = &render::palette(view.theme),
          .area = area,
          .camera = render::camera_of({view.scopes.first, view.scopes.span}, part.y_0_1),
          .selected = render::marked_box(kept.boxes, kept.layout, part.picked, view.selected),
          .hovered = 0,
          .trace = part.trace,
          .band = {},
          .lines = std::move(lines),
          .font_px = view.font_px * view.scale};
}

void set_camera(ViewState& view, const render::ScopesCamera& camera) {
  const render::VisibleRange range = render::range_of(camera);
  view.scopes = {range.first, range.span};
  view.boxes.y_0_1 = camera.y_0_1;
}

std::string hit_path(const render::ScopesLook& look, const render::ScopesHit& hit) {
  const render::ScopeBox& box = look.boxes->boxes[look.layout->placed[hit.placed].box];
  return hit.placed != 0 && box.can_open() ? std::string(look.boxes->path(*look.scene, box)) : "";
}

std::string hit_op(const render::ScopesLook& look, const render::ScopesHit& hit) {
  const render::ScopeBox& box = look.boxes->boxes[look.layout->placed[hit.placed].box];
  return hit.placed == 0 || box.can_open() ? "" : std::string(look.boxes->path(*look.scene, box));
}

std::string picture_json(const render::ScopesLook& look, std::uint64_t revision) {
  render::DrawList list;
  render::draw_scopes(list, look);
  const float margin = look.font_px * 0.5F;  // where charts begin
  return list.json({revision, {0, 1, margin, look.area.width() - margin}, 0});
}

}  // namespace tideline::ui
