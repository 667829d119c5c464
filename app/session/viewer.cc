// Tested by unit/session/commands_view_test.cc.
#include "app/session/viewer.h"

#include <algorithm>

namespace tideline::session {
namespace {

constexpr std::size_t kMostHistory = 200;

bool exists(const Viewer& viewer, TensorId tensor) {
  const auto& snapshot = viewer.graph().snapshot();
  return snapshot && tensor.op.index() < snapshot->graph->graph().op_count();
}

// A new graph is looked at from the beginning.
void begin_view(Viewer& viewer) {
  viewer.view.axis = {};
  viewer.view.y_scroll_px = 0;
  viewer.view.y_zoom = 1;
  viewer.view.device = 0;
  viewer.view.selected.reset();
  viewer.view.hovered.reset();
  viewer.view.cursor.reset();
  viewer.view.history.clear();
  viewer.view.history_at = 0;
  viewer.view.open_scopes.clear();
  viewer.view.write_path.clear();
}

}  // namespace

bool poll(Viewer& viewer) {
  const bool has_changed = viewer.session.poll();
  const auto& now = viewer.graph().snapshot();
  const auto file = now ? now->graph->file : nullptr;
  if (file == viewer.seen) {
    if (now && viewer.view.device >= now->devices.size()) viewer.view.device = 0;
    return has_changed;
  }
  const bool is_reload = file && viewer.seen && file->path() == viewer.seen->path();
  viewer.seen = file;
  const auto& selected = viewer.view.selected;
  if (!is_reload || (selected && !exists(viewer, *selected))) begin_view(viewer);
  if (file) viewer.settings.remember(file->path());
  return true;
}

std::optional<OpId> selected_op(const Viewer& viewer) {
  if (!viewer.view.selected || !exists(viewer, *viewer.view.selected)) return std::nullopt;
  return viewer.view.selected->op;
}

void select(Viewer& viewer, TensorId tensor) {
  ui::ViewState& view = viewer.view;
  if (view.selected == tensor) return;
  view.selected = tensor;
  const bool has_future = !view.history.empty();
  if (has_future) view.history.resize(std::min(view.history.size(), view.history_at + 1));
  view.history.push_back(tensor);
  if (view.history.size() > kMostHistory) view.history.erase(view.history.begin());
  view.history_at = view.history.size() - 1;
}

std::int32_t level_count(const Viewer& viewer) {
  const auto& snapshot = viewer.graph().snapshot();
  return snapshot ? snapshot->graph->file->levels.count() : 0;
}

}  // namespace tideline::session
