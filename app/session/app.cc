// Tested by unit/session/commands_view_test.cc.
#include "app/session/app.h"

#include <algorithm>

namespace tideline::session {
namespace {

constexpr std::size_t kMostHistory = 200;

bool exists(const App& app, TensorId tensor) {
  const auto& snapshot = app.session.snapshot();
  return snapshot && tensor.op.index() < snapshot->graph->graph().op_count();
}

// A new graph is looked at from the beginning.
void begin_view(App& app) {
  app.view.axis = {};
  app.view.y_scroll_px = 0;
  app.view.y_zoom = 1;
  app.view.device = 0;
  app.view.selected.reset();
  app.view.hovered.reset();
  app.view.cursor.reset();
  app.view.history.clear();
  app.view.history_at = 0;
  app.view.open_scopes.clear();
  app.view.write_path.clear();
}

}  // namespace

bool poll(App& app) {
  const auto before = app.session.snapshot();
  const bool has_changed = app.session.poll();
  const auto& now = app.session.snapshot();
  const bool is_same_file = before && now && before->graph->file == now->graph->file;
  if (before == now || is_same_file) {
    if (now && app.view.device >= now->devices.size()) app.view.device = 0;
    return has_changed;
  }
  const bool is_reload = before && now && before->graph->file->path() == now->graph->file->path();
  if (!is_reload || (app.view.selected && !exists(app, *app.view.selected))) begin_view(app);
  if (now) app.settings.remember(now->graph->file->path());
  return true;
}

std::optional<OpId> selected_op(const App& app) {
  if (!app.view.selected || !exists(app, *app.view.selected)) return std::nullopt;
  return app.view.selected->op;
}

void select(App& app, TensorId tensor) {
  ui::ViewState& view = app.view;
  if (view.selected == tensor) return;
  view.selected = tensor;
  const bool has_future = !view.history.empty();
  if (has_future) view.history.resize(std::min(view.history.size(), view.history_at + 1));
  view.history.push_back(tensor);
  if (view.history.size() > kMostHistory) view.history.erase(view.history.begin());
  view.history_at = view.history.size() - 1;
}

std::int32_t level_count(const App& app) {
  const auto& snapshot = app.session.snapshot();
  return snapshot ? snapshot->graph->file->levels.count() : 0;
}

}  // namespace tideline::session
