// A user without a screen: frames of Dear ImGui with a mouse and keys that are only numbers. One
// change of input a frame, as ImGui needs it.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <string_view>

#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "render/ui/fonts.h"
#include "render/ui/imgui_context.h"
#include "render/ui/panel.h"

namespace tideline::gui {

class Driver {
 public:
  /// `first` has the size of letters, which cannot change later.
  explicit Driver(const ui::UiModel& model, float width = 1400, float height = 900,
                  ui::ViewState first = {});

  ui::ViewState view;
  ui::Intents intents;  ///< all so far
  /// Called after each frame; may change what the model holds.
  std::function<void()> after_frame;

  void frames(int count);
  /// Where `label` was drawn in the last frame. Fails the test when it was not.
  [[nodiscard]] render::Rect rect(std::string_view label) const;
  [[nodiscard]] bool has(std::string_view label) const;
  void move_to(render::Point at);
  void click(std::string_view label);
  void click(render::Point at);
  void right_click(std::string_view label);
  void double_click(render::Point at);
  void control_click(std::string_view label);
  /// Presses the left button at `at`, until `let_go`.
  void hold(render::Point at);
  void let_go();
  /// Presses at the middle of `label` and lets go `dx`, `dy` further.
  void drag(std::string_view label, float dx, float dy);
  void wheel(render::Point at, float steps, bool control = false);
  void type(std::string_view ascii);
  void press(ImGuiKey key);
  /// The intents since the last call of this.
  ui::Intents take();
  [[nodiscard]] std::size_t vertex_count() const { return vertices_; }
  [[nodiscard]] const ui::Fonts& fonts() const { return fonts_; }

 private:
  const ui::UiModel& model_;
  ui::ImGuiScope scope_;
  ui::Fonts fonts_;
  ui::ViewCache cache_;
  ui::Widgets widgets_;
  std::size_t vertices_ = 0;
};

[[nodiscard]] render::Point middle(render::Rect rect);

}  // namespace tideline::gui
