// How the scopes view is looked at in a state of the view: what any front draws, and where it finds
// what is under a point.
#pragma once

#include <string>
#include <vector>

#include "render/model/ui_model.h"
#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "render/view/scopes_view.h"

namespace tideline::ui {

/// What the scopes view is drawn from, each part kept as long as nothing that it depends on
/// changes.
struct KeptScopes {
  render::ScopeBoxes boxes;    ///< of a graph
  render::ScopeLayout layout;  ///< of these, with some of them open
  render::ScopePaint paint;    ///< of the layout, in a theme, of a snapshot

  bool has_layout = false, has_paint = false;
  render::ScopesArrangement arrangement;
  render::ThemeKind theme = {};
  render::ColorBy color = {};
};

/// The scopes view in `area`. Preconditions: there is a graph, and `cache` is up to date. The look
/// points into `model` and `cache`. Cost: that of what has to be made anew. Thread: the UI's.
[[nodiscard]] render::ScopesLook scopes_look(const UiModel& model, const ViewState& view,
                                             ViewCache& cache, render::Rect area);

/// Looks from elsewhere.
void set_camera(ViewState& view, const render::ScopesCamera& camera);

/// The path of the box that was hit, if it can be opened; else empty.
[[nodiscard]] std::string hit_path(const render::ScopesLook& look, const render::ScopesHit& hit);
/// The name of the op that was hit, if it is one; else empty.
[[nodiscard]] std::string hit_op(const render::ScopesLook& look, const render::ScopesHit& hit);

/// What draw_scopes draws, as tideline.picture/1 (draw_list.h), of a view that the page moves by
/// nothing but actions. `revision` is that of the model. Thread: pure.
[[nodiscard]] std::string picture_json(const render::ScopesLook& look, std::uint64_t revision);

}  // namespace tideline::ui
