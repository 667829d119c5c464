#include <imgui.h>

#include "core/base/text.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"

namespace tideline::ui {
namespace {

std::string joined(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::string parent_of(const std::string& folder) {
  const std::size_t slash = folder.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : folder.substr(0, slash);
}

struct Purpose {
  const char* title;
  const char* folder;  // when a folder is chosen
};

Purpose purpose_of(Popup popup) {
  switch (popup) {
    case Popup::kOpen: return {"Open a graph", "For a SavedModel or a log folder"};
    case Popup::kOpenLog: return {"Open a log", "For a log folder"};
    case Popup::kOpenCheckpoint:
      return {"Open a checkpoint", "For a SavedModel, .npy files, or the latest checkpoint in it"};
    case Popup::kCompareCheckpoint:
      return {"Compare with", "For a SavedModel, .npy files, or the latest checkpoint in it"};
    default: return {"Open a traced step", "For a log folder"};
  }
}

void draw_entries(Ui& ui, const FolderListing& folder, float height, const char* opening) {
  const Widgets::Group group = ui.widgets.group("entries");
  ImGui::BeginChild("entries", {0, height}, true);
  if (!folder.error.empty()) colored_text(ui.palette().error, folder.error);
  if (folder.error.empty() && folder.entries.empty()) dim_text(ui, "This folder is empty.");
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(folder.entries.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FileEntry& entry = folder.entries[static_cast<std::size_t>(i)];
      const std::string path = joined(folder.path, entry.name);
      const std::string label = printable(entry.name, 400) + (entry.is_folder ? "/" : "");
      ImGui::PushID(i);
      const bool pressed = ui.widgets.selectable(label.c_str(), ui.view.write_path == path);
      if (!entry.is_folder) {
        const std::string bytes = format_bytes(entry.bytes);
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x -
                        ImGui::CalcTextSize(bytes.c_str()).x);
        ImGui::TextDisabled("%s", bytes.c_str());
      }
      ImGui::PopID();
      if (!pressed) continue;
      if (entry.is_folder) {
        ui.view.browser_folder = path;
        ui.ask("file.browse", path);
      } else if (opening != nullptr) {
        ui.ask(opening, path);
        ui.view.popup = Popup::kNone;
      } else {
        ui.view.write_path = path;
      }
    }
  }
  ImGui::EndChild();
}

void draw_place(Ui& ui, const FolderListing& folder) {
  if (ui.widgets.button("Up")) {
    ui.view.browser_folder = parent_of(folder.path);
    ui.ask("file.browse", ui.view.browser_folder);
  }
  ImGui::SameLine();
  ImGui::TextUnformatted(printable(folder.path, 1000).c_str());
}

}  // namespace

void draw_file_browser(Ui& ui, const char* action) {
  const Purpose purpose = purpose_of(ui.view.popup);
  PopupWindow window(ui, purpose.title, 720, 520);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("open");
  if (!ui.model.folder) {
    if (ImGui::IsWindowAppearing()) ui.ask("file.browse", ui.view.browser_folder);
    dim_text(ui, "Reading the folder ...");
    return;
  }
  draw_place(ui, *ui.model.folder);
  const float below = 2 * ImGui::GetFrameHeightWithSpacing();
  draw_entries(ui, *ui.model.folder, ImGui::GetContentRegionAvail().y - below, action);
  ImGui::SetNextItemWidth(-1);
  if (ui.widgets.input("##path", "or type a path and press Enter", &ui.view.palette_text, true) &&
      !ui.view.palette_text.empty()) {
    ui.ask(action, ui.view.palette_text);
    ui.view.palette_text.clear();
    window.close();
  }
  if (ui.widgets.button("Open this folder")) {
    ui.ask(action, ui.model.folder->path);
    window.close();
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", purpose.folder);
  ImGui::SameLine();
  if (ui.widgets.button("Cancel")) window.close();
}

void draw_write_dialog(Ui& ui) {
  PopupWindow window(ui, "Write", 720, 520);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("write");
  dim_text(ui, "The name says the format: " + ui.model.graph_formats +
                   ", or without a dot the folder of a SavedModel");
  const float below = 2 * ImGui::GetFrameHeightWithSpacing();
  if (ui.model.folder) {
    draw_place(ui, *ui.model.folder);
    draw_entries(ui, *ui.model.folder, ImGui::GetContentRegionAvail().y - below, nullptr);
  }
  ImGui::SetNextItemWidth(-1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ui.widgets.input("##path", "path of the new file", &ui.view.write_path);
  const auto write = [&](const char* label, const char* action, bool force) {
    if (ui.widgets.button(label, 0, !ui.view.write_path.empty())) {
      if (force) {
        ui.ask(action, ui.view.write_path, "force");
      } else {
        ui.ask(action, ui.view.write_path);
      }
      window.close();
    }
    ImGui::SameLine();
  };
  write("Write graph", "file.write", false);
  write("Replace", "file.write", true);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Also when the file exists");
  write("TB log", "file.write-log", false);
  write("Plan", "file.write-plan", false);
  write("CSV", "file.write-csv", false);
  write("Picture", "file.write-picture", false);
  if (ui.widgets.button("Cancel")) window.close();
}

}  // namespace tideline::ui
