// The dialogs that open something. The path has the keyboard: what is typed there browses folders
// up to its last slash, and narrows the list by what follows. Enter goes into a folder, and opens
// a file.
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "render/ui/file_list.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"

namespace tideline::ui {
namespace {

struct Purpose {
  const char* title;
  const char* folder;  // when a folder is chosen; null: none may be
};

Purpose purpose_of(Popup popup) {
  switch (popup) {
    case Popup::kOpen: return {"Open a graph", "For a SavedModel or a log folder"};
    case Popup::kOpenLog: return {"Open a log", "For a log folder"};
    case Popup::kAddLog: return {"Add a log", "For a log folder"};
    case Popup::kOpenCheckpoint:
      return {"Open a checkpoint", "For a SavedModel, .npy files, or the latest checkpoint in it"};
    case Popup::kCompareCheckpoint:
      return {"Compare with", "For a SavedModel, .npy files, or the latest checkpoint in it"};
    case Popup::kCompareGraph: return {"Compare with", "For a SavedModel"};
    case Popup::kOpenLesson: return {"Open a lesson", nullptr};
    case Popup::kChooseFont: return {"Choose a font", nullptr};
    default: return {"Open a traced step", "For a log folder"};
  }
}

// What was typed: the folder that it names, and the part of a name behind it.
struct Typed {
  std::string folder, name;
};
Typed typed_of(const std::string& text, const std::string& shown_folder) {
  const std::size_t slash = text.find_last_of('/');
  if (slash == std::string::npos) return {shown_folder, text};
  const std::string folder = slash == 0 ? "/" : text.substr(0, slash);
  return {text.starts_with('/') ? folder : joined(shown_folder, folder), text.substr(slash + 1)};
}

// Relative folders are taken from the one that is shown, once: the text becomes a whole path.
void follow(Ui& ui, const FolderListing& shown) {
  std::string& text = ui.view.browser_text;
  const Typed typed = typed_of(text, shown.path);
  if (typed.folder == shown.path) return;
  text = joined(typed.folder, typed.name);
  browse(ui, typed.folder);
}

const FileEntry* entry_of(const FolderListing& folder, const std::string& name) {
  const auto found = std::find_if(folder.entries.begin(), folder.entries.end(),
                                  [&](const FileEntry& entry) { return entry.name == name; });
  return found == folder.entries.end() ? nullptr : &*found;
}

// A checkpoint is called by what its files begin with; hidden files are not listed.
bool may_be_there(const FolderListing& folder, const std::string& name) {
  if (name.starts_with('.') || entry_of(folder, name) != nullptr) return true;
  return std::any_of(folder.entries.begin(), folder.entries.end(),
                     [&](const FileEntry& entry) { return entry.name.starts_with(name + "."); });
}

// What Enter does, once the folder of the text is shown. Returns the path to open, or nothing.
std::string enter(Ui& ui, const FolderListing& shown, const Typed& typed, bool takes_folder) {
  if (!shown.error.empty()) return {};
  if (typed.name.empty())
    return takes_folder && !ui.view.browser_text.empty() ? shown.path : std::string();
  const FileEntry* entry = entry_of(shown, typed.name);
  const std::string path = joined(shown.path, typed.name);
  if (entry == nullptr || !entry->is_folder) {
    return may_be_there(shown, typed.name) ? path : std::string();
  }
  ui.view.browser_text = path + "/";
  browse(ui, path);
  return {};
}

// The field, which gets the keyboard back after Enter: there may be more to type.
bool draw_path(Ui& ui) {
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool is_entered = ui.widgets.input(
      "##path", "type a path or a part of a name, and press Enter", &ui.view.browser_text, true);
  if (is_entered) ImGui::SetKeyboardFocusHere(-1);
  return is_entered;
}

void draw_filter(Ui& ui) {
  const std::vector<FileFilter>& filters = ui.model.file_filters;
  if (filters.empty()) return;
  int& chosen = ui.view.file_filter;
  chosen = std::clamp(chosen, 0, static_cast<int>(filters.size()) - 1);
  std::vector<const char*> titles;
  for (const FileFilter& filter : filters) titles.push_back(filter.title.c_str());
  ImGui::SetNextItemWidth(-1);
  ui.widgets.combo("##files", &chosen, titles);
}

// The list with what may be said of the text; returns the file that was clicked.
std::string draw_list(Ui& ui, const FolderListing& shown, const Typed& typed, float below) {
  const FileFilter* filter =
      ui.model.file_filters.empty()
          ? nullptr
          : &ui.model.file_filters[static_cast<std::size_t>(ui.view.file_filter)];
  FileListLook look;
  look.fits = [&](const FileEntry& entry) {
    if (!typed.name.empty() && !contains_ignoring_case(entry.name, typed.name)) return false;
    return shown.is_file || entry.is_folder || filter == nullptr || filter->fits(entry.name);
  };
  look.chosen = joined(shown.path, typed.name);
  return draw_file_list(ui, shown, ImGui::GetContentRegionAvail().y - below, look);
}

// What was chosen: a file or a folder, or of a graph whose functions are listed it or one of them.
void open_or_look_in(Ui& ui, PopupWindow& window, const char* action, const std::string& path) {
  const FolderListing& shown = *ui.model.folder;
  const bool is_entry = entry_of(shown, path.substr(path.rfind('/') + 1)) != nullptr;
  if (!shown.is_file && is_entry && path != shown.path && ui.view.browser_looks_in) {
    ui.view.browser_text.clear();
    return browse(ui, path);
  }
  if (shown.is_file && path.size() > shown.path.size()) {
    ui.ask(action, shown.path, path.substr(shown.path.size() + 1));
  } else {
    ui.ask(action, path);
  }
  if (shown.is_file) ui.view.browser_folder = parent_of(shown.path);
  window.close();
}

}  // namespace

void draw_file_browser(Ui& ui, const char* action) {
  const Purpose purpose = purpose_of(ui.view.popup);
  PopupWindow window(ui, purpose.title, 720, 520);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("open");
  if (ImGui::IsWindowAppearing()) {
    ui.view.browser_text.clear();
    ui.view.browser_enters = false;
    ui.view.file_filter = 0;
    ui.view.browser_looks_in = false;
    if (!ui.model.folder) ui.ask("file.browse", ui.view.browser_folder);
  }
  const bool is_entered = draw_path(ui);
  if (!ui.model.folder) return dim_text(ui, "Reading the folder ...");
  const FolderListing& shown = *ui.model.folder;
  const auto open = [&](const std::string& path) { open_or_look_in(ui, window, action, path); };
  follow(ui, shown);
  const Typed typed = typed_of(ui.view.browser_text, shown.path);
  if (is_entered) ui.view.browser_enters = true;
  if (ui.view.browser_enters && typed.folder == shown.path) {
    ui.view.browser_enters = false;
    if (const std::string path = enter(ui, shown, typed, purpose.folder != nullptr); !path.empty())
      return open(path);
  }
  draw_place(ui, shown);
  const float below = 2 * ImGui::GetFrameHeightWithSpacing();
  if (const std::string path = draw_list(ui, shown, typed, below); !path.empty()) open(path);
  draw_filter(ui);
  if (purpose.folder != nullptr) {
    if (ui.widgets.button(shown.is_file ? "Open the graph" : "Open this folder")) open(shown.path);
    if (ImGui::IsItemHovered() && !shown.is_file) ImGui::SetTooltip("%s", purpose.folder);
    ImGui::SameLine();
  }
  if (ui.widgets.button("Cancel")) window.close();
  if (ui.view.popup == Popup::kOpen) {
    ImGui::SameLine();
    ui.widgets.checkbox("list functions", &ui.view.browser_looks_in);
    ui.widgets.hint(
        "A click on a graph lists its functions, of which one can be opened; so does a "
        "slash behind its name");
  }
  if (typed.name.empty() || may_be_there(shown, typed.name)) return;
  ImGui::SameLine();
  dim_text(ui, "there is no " + printable(typed.name, 80) + " here");
}

}  // namespace tideline::ui
