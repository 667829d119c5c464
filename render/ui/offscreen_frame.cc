#include "render/ui/offscreen_frame.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <memory>

#include "render/gl/offscreen.h"
#include "render/ui/imgui_context.h"

namespace tideline::ui {
namespace {

struct OpenGlBackend {
  OpenGlBackend() { ready = ImGui_ImplOpenGL3_Init("#version 330 core"); }
  ~OpenGlBackend() {
    if (ready) ImGui_ImplOpenGL3_Shutdown();
  }
  OpenGlBackend(const OpenGlBackend&) = delete;
  OpenGlBackend& operator=(const OpenGlBackend&) = delete;
  bool ready = false;
};

}  // namespace

Result<gl::Image> draw_offscreen(const OffscreenOptions& options,
                                 const std::function<void(const Fonts&)>& draw) {
  TIDELINE_TRY(const std::unique_ptr<gl::OffscreenContext> context, gl::OffscreenContext::create());
  TIDELINE_TRY(const gl::Framebuffer target,
               gl::Framebuffer::create(options.width_px, options.height_px));
  const ImGuiScope scope;
  ImGuiIO& io = ImGui::GetIO();
  const Fonts fonts = load_chosen_fonts(*io.Fonts, options.body_px, options.font_file);
  const OpenGlBackend backend;
  if (!backend.ready)
    return fail(Code::kUnsupported, "OpenGL 3.3 could not be loaded; expected libGL (libgl1)");
  io.DisplaySize = {static_cast<float>(options.width_px), static_cast<float>(options.height_px)};
  for (int frame = 0; frame < options.frames; ++frame) {
    io.DeltaTime = 1.0F / 60;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    draw(fonts);
    ImGui::Render();
  }
  target.bind();
  const render::Color ground = render::palette(options.theme).background;
  gl::clear(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
            static_cast<float>(ground.b) / 255);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  gl::Image image = target.read();
  if (options.end) options.end();
  return image;
}

}  // namespace tideline::ui
