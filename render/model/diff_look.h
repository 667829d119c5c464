// How the diff view is looked at in a state of the view.
#pragma once

#include "render/model/ui_model.h"
#include "render/model/view_state.h"
#include "render/view/diff_view.h"

namespace tideline::ui {

/// The diff view in `area`. The look points into `model`. Cost: O(1). Thread: the UI's.
[[nodiscard]] inline render::DiffLook diff_look(const UiModel& model, const ViewState& view,
                                                render::Rect area) {
  const DiffState& diff = model.diff;
  return {.changes = diff.changes.get(),
          .text = diff.text.get(),
          .why_none = diff.why_none,
          .palette = &render::palette(view.theme),
          .area = area,
          .range = {view.axis.first, view.axis.span},
          .part = view.diff,
          .font_px = view.font_px * view.scale};
}

}  // namespace tideline::ui
