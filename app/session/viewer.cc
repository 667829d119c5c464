// Tested by unit/session/commands_view_test.cc.
#include "app/session/viewer.h"

#include <algorithm>
#include <filesystem>

namespace tideline::session {
namespace {

constexpr std::size_t kMostHistory = 200;

bool exists(const Viewer& viewer, TensorId tensor) {
  const auto& snapshot = viewer.graph().snapshot();
  return snapshot && tensor.op.index() < snapshot->shown->graph().op_count();
}

// The initial view of a graph.
void begin_view(Viewer& viewer) {
  viewer.view.axis = {};
  viewer.view.steps = {};
  viewer.view.times = {};
  viewer.view.trace = {};
  viewer.view.trace_scroll_px = 0;
  viewer.view.stretch.reset();
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

// The document to show after a closed one: the one shown before it, else the last.
DocumentId next_to_show(const Viewer& viewer) {
  for (auto entry = viewer.looked.rbegin(); entry != viewer.looked.rend(); ++entry) {
    if (viewer.session.find(entry->id) != nullptr) return entry->id;
  }
  const auto& documents = viewer.session.documents();
  return documents.empty() ? DocumentId::kNone : documents.back().id;
}

void open_refused_drops(Viewer& viewer) {
  for (std::size_t i = 0; i < viewer.session.documents().size(); ++i) {
    GraphDocument& graph = viewer.session.graph(viewer.session.documents()[i].id);
    if (auto refused = graph.take_refused_drop()) {
      open_graph(viewer, *std::move(refused), first_wish(viewer));
    }
  }
}

// As an absolute path: the next window may be started elsewhere.
void remember(Settings& settings, const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  settings.remember(error ? path : whole.lexically_normal().string());
}

}  // namespace

Result<std::string> resolved(const Viewer& viewer, const std::string& path, PathUse use) {
  if (!viewer.resolve_path) return path;
  return viewer.resolve_path(path, use);
}

void show(Viewer& viewer, DocumentId id) {
  if (viewer.shown == id) return;
  std::erase_if(viewer.looked, [&](const Viewer::Looked& entry) {
    return entry.id == viewer.shown || viewer.session.find(entry.id) == nullptr;
  });
  if (viewer.session.find(viewer.shown) != nullptr) {
    // Of the view, what belongs to the document.
    const ui::DocumentView& view = viewer.view;
    viewer.looked.push_back({viewer.shown, view, viewer.seen});
  }
  Viewer::Looked now;
  const auto before = std::find_if(viewer.looked.begin(), viewer.looked.end(),
                                   [&](const Viewer::Looked& entry) { return entry.id == id; });
  if (before != viewer.looked.end()) {
    now = std::move(*before);
    viewer.looked.erase(before);
  }
  viewer.shown = id;
  static_cast<ui::DocumentView&>(viewer.view) = std::move(now.view);
  viewer.seen = std::move(now.seen);
  viewer.session.journal().touch();
}

void open_graph(Viewer& viewer, OpenRequest request, Wish wish) {
  open_document(viewer, *find_document_kind("graph"), std::move(request), std::move(wish));
}

void open_document(Viewer& viewer, const DocumentKind& kind, OpenRequest request, Wish wish) {
  const Session::Entry* open = viewer.session.find(kind, request.graph);
  show(viewer,
       open != nullptr ? open->id : viewer.session.open(kind, std::move(request), std::move(wish)));
}

Wish first_wish(const Viewer& viewer) {
  Wish wish;
  wish.profile = viewer.graph().wish().profile;
  wish.policy.budget = viewer.graph().wish().policy.budget;
  return wish;
}

bool poll(Viewer& viewer) {
  const bool has_changed = viewer.session.poll();
  open_refused_drops(viewer);
  if (viewer.session.find(viewer.shown) == nullptr) show(viewer, next_to_show(viewer));
  const auto& now = viewer.graph().snapshot();
  const auto file = now ? now->graph->file : nullptr;
  if (file == viewer.seen) {
    if (now && viewer.view.device >= now->devices.size()) viewer.view.device = 0;
    // What was selected may have been a copy that another plan does not add.
    if (viewer.view.selected && !exists(viewer, *viewer.view.selected))
      viewer.view.selected.reset();
    return has_changed;
  }
  const bool is_reload = file && viewer.seen && file->path() == viewer.seen->path();
  viewer.seen = file;
  const auto& selected = viewer.view.selected;
  if (!is_reload || (selected && !exists(viewer, *selected))) begin_view(viewer);
  if (file) remember(viewer.settings, file->path());
  return true;
}

std::vector<const Session::Entry*> in_order(const Viewer& viewer) {
  std::vector<const Session::Entry*> entries;
  for (const Session::Entry& entry : viewer.session.documents()) entries.push_back(&entry);
  std::stable_partition(entries.begin(), entries.end(),
                        [&](const Session::Entry* entry) { return entry->id == viewer.shown; });
  return entries;
}

std::optional<ui::JobStatus> job_of(const Viewer& viewer) {
  for (const Session::Entry* entry : in_order(viewer)) {
    if (auto job = entry->document->job()) return job;
  }
  return std::nullopt;
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
  return snapshot ? snapshot->shown->file->levels.count() : 0;
}

}  // namespace tideline::session
