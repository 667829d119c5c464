// How the diff view is looked at in a state of the view.
#pragma once

#include "render/model/ui_model.h"
#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "render/view/diff_view.h"

namespace tideline::ui {

/// The diff view in `area`. The look points into `model` and `cache`. Cost: that of the rows where
/// they have to be made anew. Thread: the UI's.
[[nodiscard]] inline render::DiffLook diff_look(const UiModel& model, const ViewState& view,
                                                ViewCache& cache, render::Rect area) {
  const DiffState& diff = model.diff;
  return {.changes = diff.changes.get(),
          .text = diff.text.get(),
          .rows = cache.diff_rows(diff.changes, view.diff.open),
          .is_stale = diff.is_stale,
          .why_none = diff.why_none,
          .palette = &render::palette(view.theme),
          .area = area,
          .range = {view.axis.first, view.axis.span},
          .part = view.diff,
          .font_px = view.font_px * view.scale};
}

}  // namespace tideline::ui
