// Tested by unit/actions/commands_view_test.cc.
#include "app/session/viewer.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/session/log_document.h"
#include "core/events/hparams.h"

namespace tideline::app {
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
  viewer.view.scopes = {};
  viewer.view.boxes.open.clear();
  viewer.view.boxes.open_elsewhere.clear();
  viewer.view.boxes.aside.clear();
  viewer.view.boxes.loop.clear();
  viewer.view.boxes.picked.clear();
  viewer.view.trace = {};
  viewer.view.trace_scroll_px = 0;
  viewer.view.stretch.reset();
  viewer.view.y_scroll_px = 0;
  viewer.view.y_scroll_share.reset();
  viewer.view.y_zoom = 1;
  viewer.view.device = 0;
  viewer.view.selected.reset();
  viewer.view.hovered.reset();
  viewer.view.cursor.reset();
  viewer.view.pinned.reset();
  viewer.view.player.reset();
  viewer.view.is_playing = false;
  viewer.view.bookmarks = {};
  viewer.view.history.clear();
  viewer.view.history_at = 0;
  viewer.view.open_scopes.clear();
  for (std::string& path : viewer.view.write_paths) path.clear();
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
      const DocumentKind& kind = kind_of_path(refused->graph.path);
      open_document(viewer, kind, *std::move(refused), first_wish(viewer));
    }
  }
}

// As an absolute path: the next window may be started elsewhere.
void remember(Settings& settings, const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  settings.remember(error ? path : whole.lexically_normal().string());
}

// The first page of a log that has something to show.
ui::LogPage first_page(const ui::LogContents& log) {
  struct PageOfKind {
    events::SeriesKind kind;
    ui::LogPage page;
  };
  static constexpr std::array kPages = {
      PageOfKind{events::SeriesKind::kScalar, ui::LogPage::kScalars},
      PageOfKind{events::SeriesKind::kHistogram, ui::LogPage::kHistograms},
      PageOfKind{events::SeriesKind::kImage, ui::LogPage::kImages},
      PageOfKind{events::SeriesKind::kText, ui::LogPage::kText}};
  for (const PageOfKind& page : kPages) {
    const bool is_there = std::any_of(log.tags.begin(), log.tags.end(),
                                      [&](const auto& tag) { return tag.kind == page.kind; });
    if (is_there) return page.page;
  }
  if (log.hparams && !log.hparams->rows.empty()) return ui::LogPage::kHparams;
  return log.graphs.empty() ? ui::LogPage::kScalars : ui::LogPage::kGraphs;
}

// Graphs are met by their files, which may be read again.
void meet_shown(Viewer& viewer) {
  const Session::Entry* shown = viewer.session.find(viewer.shown);
  if (shown == nullptr || !shown->document->is_open() || shown->document->is_busy()) return;
  if (dynamic_cast<const GraphDocument*>(shown->document.get()) != nullptr) return;
  if (std::find(viewer.met.begin(), viewer.met.end(), viewer.shown) != viewer.met.end()) return;
  viewer.met.push_back(viewer.shown);
  remember(viewer.settings, shown->document->request().graph.path);
  const auto* log = dynamic_cast<const LogDocument*>(shown->document.get());
  const bool is_choice = viewer.view.log.page != ui::LogPage::kScalars;
  if (log != nullptr && !is_choice) viewer.view.log.page = first_page(*log->contents());
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
    // The part of the view that belongs to the document.
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
  wish.profile_file = viewer.graph().wish().profile_file;
  wish.policy.budget = viewer.graph().wish().policy.budget;
  return wish;
}

bool poll(Viewer& viewer) {
  const bool has_changed = viewer.session.poll();
  open_refused_drops(viewer);
  if (viewer.session.find(viewer.shown) == nullptr) show(viewer, next_to_show(viewer));
  meet_shown(viewer);
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
  view.boxes.picked.clear();
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

}  // namespace tideline::app
