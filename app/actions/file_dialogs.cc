// Tested by unit/actions/file_dialogs_test.cc.
#include "app/actions/file_dialogs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "app/actions/copy_as.h"
#include "app/engine/folder.h"
#include "app/engine/write.h"
#include "core/checkpoint/format.h"
#include "core/io/graph_format.h"

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

ui::FileFilter filter_of(const std::string& what, std::vector<std::string> patterns) {
  std::vector<std::string> shown;
  for (const std::string& pattern : patterns) {
    const bool is_ending = pattern.starts_with('.');
    shown.push_back(is_ending ? pattern : "..." + pattern.substr(1, pattern.size() - 2) + "...");
  }
  return {fmt::format("{} ({})", what, fmt::join(shown, ", ")), std::move(patterns)};
}

ui::FileFilter graphs() {
  std::vector<std::string> patterns;
  for (const io::GraphFormat* format : io::graph_formats()) {
    for (const io::GraphName& name : format->names) {
      if (!name.ending.empty()) patterns.emplace_back(name.ending);
    }
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  return filter_of("Graphs", std::move(patterns));
}

ui::FileFilter logs() {
  return filter_of("Logs", {"*tfevents*"});
}

// A checkpoint of TensorFlow is called by its index.
ui::FileFilter checkpoints() {
  std::vector<std::string> patterns = {".index"};
  for (const checkpoint::CheckpointFormat* format : checkpoint::formats()) {
    for (const std::string_view ending : format->endings) {
      if (ending.starts_with('.')) patterns.emplace_back(ending);
    }
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  return filter_of("Checkpoints", std::move(patterns));
}

ui::FileFilter fonts() {
  return filter_of("Fonts", {".ttf", ".otf", ".ttc"});
}

ui::FileFilter lessons() {
  return filter_of("Lessons", {".lesson"});
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

}  // namespace

std::vector<ui::FileFilter> file_filters(ui::Popup popup) {
  std::vector<ui::FileFilter> filters;
  switch (popup) {
    case ui::Popup::kOpen: {
      filters = {{"All that can be opened", {}}, graphs(), logs(), checkpoints(), lessons()};
      auto& all = filters.front().patterns;
      for (std::size_t i = 1; i < filters.size(); ++i)
        all.insert(all.end(), filters[i].patterns.begin(), filters[i].patterns.end());
      break;
    }
    case ui::Popup::kOpenLesson: filters = {lessons()}; break;
    case ui::Popup::kChooseFont: filters = {fonts()}; break;
    case ui::Popup::kCompareGraph: filters = {graphs()}; break;
    case ui::Popup::kOpenLog:
    case ui::Popup::kAddLog: filters = {logs()}; break;
    case ui::Popup::kOpenCheckpoint:
    case ui::Popup::kCompareCheckpoint: filters = {checkpoints()}; break;
    case ui::Popup::kOpenTrace: break;  // run metadata has no ending of its own
    default: return filters;
  }
  filters.push_back({"All files", {}});
  return filters;
}

std::string proposed_path(const std::string& path, ui::WriteForm form, std::string_view view) {
  const std::string graph = output_beside(path);
  const fs::path whole(graph);
  const std::string lms = (whole.parent_path() / whole.stem()).string();
  const std::string stem = lms.substr(0, lms.size() - std::string_view("_lms").size());
  switch (form) {
    case ui::WriteForm::kGraph: return graph;
    case ui::WriteForm::kLog: return lms + "_log";
    case ui::WriteForm::kPlan: return lms + ".plan.json";
    case ui::WriteForm::kTables: return lms + ".csv";
    case ui::WriteForm::kPicture: return fmt::format("{}_{}.svg", stem, view);
    case ui::WriteForm::kWindow: break;
  }
  return stem + "_window.png";
}

ui::WritePlace write_place(const Viewer& viewer) {
  ui::WritePlace place;
  const ui::WriteForm form = viewer.view.write_form;
  const std::string& typed = viewer.view.write_paths[static_cast<std::size_t>(form)];
  const auto& snapshot = viewer.graph().snapshot();
  if (typed.empty() || !snapshot) return place;
  const auto path = resolved(viewer, typed, PathUse::kWrite);
  if (!path) {
    place.problem = path.error().message;
    return place;
  }
  if (form == ui::WriteForm::kGraph) {
    const auto format = io::output_format_of(*path, snapshot->graph->document());
    if (!format) place.problem = format.error().message;
  }
  place.exists = is_there(*path) || (form == ui::WriteForm::kTables && is_there(steps_path(*path)));
  return place;
}

void take_dialog(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  const ui::Popup popup = viewer.view.popup;
  const std::vector<ui::FileFilter> filters = file_filters(popup);
  if (filters.empty() && popup != ui::Popup::kWrite) {
    cache.model.folder.reset();
    cache.model.file_filters.clear();
    cache.has_folder = false;
    return;
  }
  cache.model.file_filters = filters;
  cache.model.write_place = popup == ui::Popup::kWrite ? write_place(viewer) : ui::WritePlace();
  if (cache.has_folder && cache.folder == viewer.view.browser_folder) return;
  cache.folder = viewer.view.browser_folder;
  cache.has_folder = true;
  const auto path = resolved(viewer, cache.folder, PathUse::kRead);
  if (!path) {
    cache.model.folder = ui::FolderListing{cache.folder, false, {}, path.error().message};
  } else {
    cache.model.folder = popup == ui::Popup::kOpen ? list_place(*path) : list_folder(*path);
  }
}

}  // namespace tideline::app
