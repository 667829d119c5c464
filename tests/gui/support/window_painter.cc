#include "tests/gui/support/window_painter.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <catch2/catch.hpp>
#include <utility>

#include "render/gl/offscreen.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_context.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::gui {
namespace {

constexpr int kFramesToSettle = 4;

std::unique_ptr<gl::OffscreenContext> context() {
  auto made = gl::OffscreenContext::create();
  INFO((made ? "" : made.error().message));
  REQUIRE(made);
  return *std::move(made);
}

}  // namespace

// In the order in which they need each other.
struct WindowPainter::Parts {
  explicit Parts(float font_px) : fonts(ui::load_fonts(*ImGui::GetIO().Fonts, font_px)) {
    REQUIRE(ImGui_ImplOpenGL3_Init("#version 330 core"));
  }
  ~Parts() { ImGui_ImplOpenGL3_Shutdown(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::unique_ptr<gl::OffscreenContext> gl = context();
  ui::ImGuiScope scope;
  ui::Fonts fonts;
  ui::ViewCache cache;
  ui::Widgets widgets;
};

WindowPainter::WindowPainter(const ui::UiModel& model, const ui::ViewState& view)
    : model_(model), parts_(std::make_unique<Parts>(view.font_px)) {}

WindowPainter::~WindowPainter() = default;

gl::Image WindowPainter::draw(ui::ViewState& view, int width, int height) {
  const auto target = gl::Framebuffer::create(width, height);
  REQUIRE(target);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = 1.0F / 60;
  ui::Intents ignored;
  for (int frame = 0; frame < kFramesToSettle; ++frame) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ui::apply_theme(view.theme, view.scale);
    ui::Ui ui = {model_, view, parts_->widgets, ignored, parts_->fonts, parts_->cache};
    ui::draw_window(ui);
    ImGui::Render();
  }
  target->bind();
  const render::Color ground = render::palette(view.theme).background;
  gl::clear(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
            static_cast<float>(ground.b) / 255);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  return target->read();
}

}  // namespace tideline::gui
