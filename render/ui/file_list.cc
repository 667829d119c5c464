#include "render/ui/file_list.h"

#include <imgui.h>

#include <cstdint>
#include <vector>

#include "core/base/text.h"

namespace tideline::ui {
namespace {

std::vector<std::uint32_t> entries_that_fit(const FolderListing& folder, const FileListLook& look) {
  std::vector<std::uint32_t> shown;
  for (std::uint32_t i = 0; i < folder.entries.size(); ++i) {
    if (!look.fits || look.fits(folder.entries[i])) shown.push_back(i);
  }
  return shown;
}

bool draw_entry(Ui& ui, const FileEntry& entry, bool is_chosen) {
  const std::string label = printable(entry.name, 400) + (entry.is_folder ? "/" : "");
  const bool pressed = ui.widgets.selectable(label.c_str(), is_chosen);
  if (entry.is_folder) return pressed;
  const std::string bytes = entry.detail.empty() ? format_bytes(entry.bytes) : entry.detail;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(bytes.c_str()).x);
  ImGui::TextDisabled("%s", bytes.c_str());
  return pressed;
}

}  // namespace

std::string joined(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::string parent_of(const std::string& folder) {
  const std::size_t slash = folder.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : folder.substr(0, slash);
}

void browse(Ui& ui, const std::string& folder) {
  ui.view.browser_folder = folder;
  ui.ask("file.browse", folder);
}

void draw_place(Ui& ui, const FolderListing& folder) {
  if (ui.widgets.button("Up")) browse(ui, parent_of(folder.path));
  ImGui::SameLine();
  const std::string path = fitted(folder.path, ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(path.c_str());
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(folder.path, 1000).c_str());
}

std::string draw_file_list(Ui& ui, const FolderListing& folder, float height,
                           const FileListLook& look) {
  const Widgets::Group group = ui.widgets.group("entries");
  std::string clicked;
  ImGui::BeginChild("entries", {0, height}, true);
  const std::vector<std::uint32_t> shown = entries_that_fit(folder, look);
  if (!folder.error.empty()) {
    colored_text(ui.palette().error, folder.error);
  } else if (folder.entries.empty()) {
    dim_text(ui, folder.is_file ? "This graph has no functions." : "This folder is empty.");
  } else if (shown.empty()) {
    dim_text(ui, "Nothing here fits.");
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FileEntry& entry = folder.entries[shown[static_cast<std::size_t>(i)]];
      const std::string path = joined(folder.path, entry.name);
      ImGui::PushID(entry.name.c_str());
      const bool pressed = draw_entry(ui, entry, path == look.chosen);
      ImGui::PopID();
      if (!pressed) continue;
      if (entry.is_folder) {
        browse(ui, path);
        ui.view.browser_text.clear();
      } else {
        clicked = path;
      }
    }
  }
  ImGui::EndChild();
  return clicked;
}

}  // namespace tideline::ui
