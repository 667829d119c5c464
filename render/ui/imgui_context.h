// A context of Dear ImGui that ends with its scope.
#pragma once

#include <imgui.h>

namespace tideline::ui {

/// Makes its context the current one, and on destruction the one that was current before. Nothing
/// is kept on disk.
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
