#include "tests/gui/support/driver.h"

#include <catch2/catch.hpp>
#include <utility>

#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::gui {

Driver::Driver(const ui::UiModel& model, float width, float height, ui::ViewState first)
    : view(std::move(first)), model_(model) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {width, height};
  io.DeltaTime = 1.0F / 60;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the window's has
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
  fonts_ = ui::load_fonts(*io.Fonts, view.font_px);
  unsigned char* pixels = nullptr;
  io.Fonts->GetTexDataAsAlpha8(&pixels, nullptr, nullptr);
  frames(3);
}

void Driver::frames(int count) {
  for (int i = 0; i < count; ++i) {
    ImGui::NewFrame();
    ui::apply_theme(view.theme, view.scale);
    ui::Ui ui = {model_, view, widgets_, intents, fonts_, cache_};
    ui::draw_window(ui);
    ImGui::Render();
    vertices_ = static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount);
    if (after_frame) after_frame();
  }
}

render::Rect Driver::rect(std::string_view label) const {
  const ui::Item* item = widgets_.find(label);
  if (item == nullptr) {
    std::string all;
    for (const ui::Item& other : widgets_.items()) all += other.label + "\n";
    INFO("on the screen:\n" << all);
    FAIL("nothing is labelled " << label);
  }
  return item->rect;
}

bool Driver::has(std::string_view label) const {
  return widgets_.find(label) != nullptr;
}

render::Point middle(render::Rect rect) {
  return {(rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2};
}

void Driver::move_to(render::Point at) {
  ImGui::GetIO().MousePos = {at.x, at.y};
  frames(1);
}

void Driver::click(render::Point at) {
  move_to(at);
  ImGui::GetIO().MouseDown[0] = true;
  frames(1);
  ImGui::GetIO().MouseDown[0] = false;
  // Longer than a double click takes, so that two clicks stay two.
  ImGui::GetIO().DeltaTime = 1;
  frames(1);
  ImGui::GetIO().DeltaTime = 1.0F / 60;
  frames(1);
}

void Driver::click(std::string_view label) {
  click(middle(rect(label)));
}

void Driver::right_click(std::string_view label) {
  move_to(middle(rect(label)));
  ImGui::GetIO().MouseDown[1] = true;
  frames(1);
  ImGui::GetIO().MouseDown[1] = false;
  frames(1);
}

void Driver::control_click(std::string_view label) {
  ImGui::GetIO().KeyCtrl = true;
  click(label);
  ImGui::GetIO().KeyCtrl = false;
}

void Driver::double_click(render::Point at) {
  move_to(at);
  for (int i = 0; i < 2; ++i) {
    ImGui::GetIO().MouseDown[0] = true;
    frames(1);
    ImGui::GetIO().MouseDown[0] = false;
    frames(1);
  }
}

void Driver::hold(render::Point at) {
  move_to(at);
  ImGui::GetIO().MouseDown[0] = true;
  frames(1);
}

void Driver::let_go() {
  ImGui::GetIO().MouseDown[0] = false;
  frames(2);
}

void Driver::drag(std::string_view label, float dx, float dy) {
  const render::Point from = middle(rect(label));
  move_to(from);
  ImGui::GetIO().MouseDown[0] = true;
  frames(1);
  for (int step = 1; step <= 4; ++step) {
    const float share = static_cast<float>(step) / 4;
    move_to({from.x + dx * share, from.y + dy * share});
  }
  ImGui::GetIO().MouseDown[0] = false;
  frames(2);
}

void Driver::wheel(render::Point at, float steps, bool control) {
  move_to(at);
  ImGui::GetIO().KeyCtrl = control;
  ImGui::GetIO().MouseWheel = steps;
  frames(1);
  ImGui::GetIO().MouseWheel = 0;
  ImGui::GetIO().KeyCtrl = false;
  frames(1);
}

void Driver::type(std::string_view ascii) {
  for (const char c : ascii) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    frames(1);
  }
}

void Driver::press(ImGuiKey key) {
  ImGui::GetIO().KeysDown[key] = true;
  frames(1);
  ImGui::GetIO().KeysDown[key] = false;
  frames(1);
}

ui::Intents Driver::take() {
  return std::exchange(intents, {});
}

}  // namespace tideline::gui
