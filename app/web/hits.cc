// Tested by unit/web/pointing_test.cc.
#include "app/web/hits.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "render/model/hover_text.h"
#include "render/model/scopes_look.h"
#include "render/model/timeline_look.h"
#include "render/view/scopes_loop.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

// The functions that an op calls, and the loop that it belongs to, as far as it is not shown.
void add_ways_in(const render::Scene& scene, OpId op, std::string_view loop, ordered_json& hit) {
  for (const CalledFunction& called : render::functions_to_enter(scene, op))
    hit["functions"].push_back(called.name);
  if (!render::is_loop_op(scene, op)) return;
  if (std::string inner = render::loop_to_enter(scene, loop, op); !inner.empty())
    hit["loop"] = std::move(inner);
}

}  // namespace

ordered_json HitJson::nothing(const std::vector<std::string>& lines) const {
  return made("nothing", {}, {}, lines, {});
}

ordered_json HitJson::of(const render::MemoryLook& look) const {
  const render::MemoryHit hit = render::hit_memory(look, at_);
  const bool is_link = hit.item.kind != render::HitKind::kNothing;
  return made(is_link      ? ui::hit_kind_name(hit.item.kind)
              : hit.tensor ? "tensor"
                           : "nothing",
              hit.tensor, hit.position, ui::hover_lines(look, hit), hit.rect);
}

ordered_json HitJson::of(const render::LevelsLook& look) const {
  const render::Hit hit = render::hit_levels(look, at_);
  return made(ui::hit_kind_name(hit.kind), hit.tensor, hit.level, ui::hover_lines(look, hit),
              hit.rect);
}

ordered_json HitJson::of(const render::ScopesLook& look, std::string_view loop) const {
  const render::ScopesHit hit = render::hit_scopes(look, at_);
  const std::string op = ui::hit_op(look, hit), path = ui::hit_path(look, hit);
  ordered_json made_json =
      made(!op.empty()    ? "op"
           : path.empty() ? "nothing"
                          : "scope",
           op.empty() ? std::nullopt : scene_.graph->find_tensor(op), {},
           render::hit_lines(look, hit), hit.placed == 0 ? std::nullopt : std::optional(hit.rect));
  if (!path.empty()) made_json["scope"] = path;
  if (!op.empty()) add_ways_in(scene_, scene_.graph->find(op), loop, made_json);
  return made_json;
}

ordered_json HitJson::band(const render::ScopesLook& look, render::Point corner) const {
  const auto levels =
      render::levels_in(look, {std::min(at_.x, corner.x), std::min(at_.y, corner.y),
                               std::max(at_.x, corner.x), std::max(at_.y, corner.y)});
  ordered_json found = nothing({});
  found["levels"] = nullptr;
  if (levels) found["levels"] = {levels->from, levels->to};
  return found;
}

ordered_json HitJson::of(const render::TimelineLook& look) const {
  const render::TimelineHit hit = render::hit_timeline(look, at_);
  const OpId op = hit.zone ? look.timeline->trace.zone(*hit.zone).op : OpId();
  const std::string text = render::timeline_hit_text(scene_, *look.timeline, hit);
  ordered_json made_json =
      made(hit.zone  ? "op"
           : hit.gap ? "gap"
                     : "nothing",
           op.valid() ? std::optional(TensorId{op, 0}) : std::nullopt, {},
           text.empty() ? std::vector<std::string>() : std::vector{text}, ui::rect_of(look, hit));
  if (op.valid()) made_json["act"] = {"select.op", scene_.graph->name(op)};
  if (hit.zone) {
    const ui::AxisRange range = ui::range_around(*look.timeline, *hit.zone);
    made_json["range"] = {{"first", range.first}, {"span", range.span}};
  }
  return made_json;
}

ordered_json HitJson::of(const render::DiffLook& look) const {
  const render::DiffHit hit = render::hit_diff(look, at_);
  const bool is_row = hit.is_scope || !hit.op.empty();
  ordered_json made_json =
      made(hit.is_scope ? "scope"
           : !is_row    ? "nothing"
                        : "op",
           {}, hit.level, hit.lines, is_row ? std::optional(hit.rect) : std::nullopt);
  if (hit.is_scope) made_json["act"] = {"diff.toggle", hit.scope};
  if (!hit.op.empty()) made_json["act"] = {"diff.pick", hit.op};
  made_json["list"] = at_.x < render::layout_diff(look).text.x0 ? "tree" : "text";
  return made_json;
}

ordered_json HitJson::made(std::string_view kind, std::optional<TensorId> tensor,
                           std::optional<double> level, const std::vector<std::string>& lines,
                           const std::optional<render::Rect>& rect) const {
  const auto known = tensor ? ui::tensor_in_graph(scene_, *tensor) : std::nullopt;
  ordered_json made_json;
  made_json["kind"] = kind;
  made_json["tensor"] = known ? ordered_json(scene_.graph->tensor_name(*known)) : nullptr;
  made_json["level"] = level ? ordered_json(*level) : nullptr;
  made_json["lines"] = lines;
  made_json["rect"] = nullptr;
  if (rect) made_json["rect"] = {rect->x0, rect->y0, rect->x1, rect->y1};
  return made_json;
}

}  // namespace tideline::web
