// A scoped context of Dear ImGui.
#pragma once

#include <imgui.h>

namespace tideline::ui {

/// Creates a context and makes it current; the destructor restores the previous one. Writes no
/// files.
class ImGuiScope {
 public:
  ImGuiScope() : before_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(own_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
  }
  ~ImGuiScope() {
    ImGui::DestroyContext(own_);
    ImGui::SetCurrentContext(before_);
  }
  ImGuiScope(const ImGuiScope&) = delete;
  ImGuiScope& operator=(const ImGuiScope&) = delete;

 private:
  ImGuiContext* before_;
  ImGuiContext* own_;
};

}  // namespace tideline::ui
