// Tested by unit/session/ui_model_test.cc.
#include "app/session/ui_model.h"

#include "app/session/commands.h"
#include "app/session/folder.h"
#include "app/session/op_card.h"

namespace tideline::session {
namespace {

// "MetaGraph, binary, 3.09 MiB, run train".
std::string format_text(const io::Document& document) {
  std::string text = fmt::format("{}, {}, {}", io::format_name(document.format),
                                 document.encoding == io::Encoding::kText ? "text" : "binary",
                                 format_bytes(static_cast<Bytes>(document.source->bytes().size())));
  if (!document.place.empty()) text += ", " + document.place;
  if (!document.function.empty()) text += ", function " + document.function;
  return text;
}

void take_snapshot(App& app) {
  ModelCache& cache = app.cache;
  ui::UiModel& model = cache.model;
  const auto& snapshot = app.session.snapshot();
  cache.snapshot = snapshot;
  model.keep_alive = snapshot;
  model.swaps.clear();
  if (!snapshot) {
    model.scene.reset();
    model.summary = nullptr;
    model.diagnostics = nullptr;
    model.scope_totals = nullptr;
    model.path.clear();
    model.format.clear();
    model.tuned_text.clear();
    return;
  }
  const OpenedGraph& graph = *snapshot->graph;
  model.scene = snapshot->scene();
  model.path = graph.file->path();
  model.format = format_text(graph.document());
  model.summary = &graph.summary;
  model.diagnostics = &graph.diagnostics;
  cache.totals = {graph.scope_bytes, snapshot->scope_swapped};
  model.scope_totals = &cache.totals;
  model.tuned_text = snapshot->tuned_text();
  model.swaps = swap_rows(*snapshot);
}

// What the session says beside the snapshot.
void take_wish(App& app) {
  ui::UiModel& model = app.cache.model;
  const Session& session = app.session;
  model.revision = session.revision();
  model.policy = &session.wish().policy;
  model.profile = &session.wish().profile;
  model.is_stale = session.is_stale();
  model.policy_error = session.policy_error() ? session.policy_error()->message : std::string();
  model.unwritten = session.is_unwritten();
  model.messages = session.messages();
  model.undo_title = session.undo_title();
  model.redo_title = session.redo_title();
}

void take_selection(App& app) {
  ui::UiModel& model = app.cache.model;
  model.selected.reset();
  const auto op = selected_op(app);
  if (!op) return;
  if (app.cache.snapshot->has_plan()) app.session.want_reasons();
  model.selected = op_card(*app.cache.snapshot, app.session.reasons().get(), *op);
}

void take_search(App& app) {
  ui::UiModel& model = app.cache.model;
  model.search_hits.clear();
  model.search_total = 0;
  if (!app.cache.snapshot || app.view.search.empty()) return;
  const SearchResult found = search_ops(*app.cache.snapshot->graph, app.view.search);
  for (const OpId op : found.ops) {
    model.search_hits.emplace_back(app.cache.snapshot->graph->graph().name(op));
  }
  model.search_total = found.total;
}

void take_folder(App& app) {
  ModelCache& cache = app.cache;
  const bool is_shown = app.view.popup == ui::Popup::kOpen ||
                        app.view.popup == ui::Popup::kOpenTrace ||
                        app.view.popup == ui::Popup::kWrite;
  if (!is_shown) {
    cache.model.folder.reset();
    cache.has_folder = false;
  } else if (!cache.has_folder || cache.folder != app.view.browser_folder) {
    cache.folder = app.view.browser_folder;
    cache.has_folder = true;
    cache.model.folder = list_folder(cache.folder);
  }
}

}  // namespace

const ui::UiModel& make_ui_model(App& app) {
  ModelCache& cache = app.cache;
  const bool is_new = !cache.is_filled || cache.revision != app.session.revision();
  const bool has_new_snapshot = !cache.is_filled || cache.snapshot != app.session.snapshot();
  if (has_new_snapshot) take_snapshot(app);
  if (is_new) take_wish(app);
  if (is_new || has_new_snapshot || cache.selected != app.view.selected) {
    cache.selected = app.view.selected;
    take_selection(app);
  }
  if (has_new_snapshot || cache.search != app.view.search) {
    cache.search = app.view.search;
    take_search(app);
  }
  take_folder(app);
  // These depend on the view, too.
  cache.model.actions = action_infos(app);
  cache.model.recent_files = app.settings.recent_files;
  cache.model.job = app.session.job();
  cache.revision = app.session.revision();
  cache.is_filled = true;
  return cache.model;
}

}  // namespace tideline::session
