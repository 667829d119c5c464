// What the search of automatic mode tried; a click takes one of the settings.
#include <fmt/format.h>
#include <imgui.h>

#include "render/ui/chart_input.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/view/tried_chart.h"

namespace tideline::ui {

void draw_tried_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("tried");
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  render::Scene scene = *ui.model.scene;
  if (scene.tried != ui.model.tried.get()) {  // nothing of it fits, so the scene is of another wish
    scene.tried = ui.model.tried.get();
    scene.trial.reset();
  }
  const render::TriedChart chart = render::layout_tried(
      scene, mouse.area.width(), mouse.area.height(), ui.view.font_px * ui.view.scale, canvas);
  const render::Point origin = {mouse.area.x0, mouse.area.y0};
  for (const render::TriedChart::Mark& mark : chart.marks) {
    const render::Point at = render::moved(mark.at, origin);
    const float half = ui.px(3);
    ui.widgets.remember(fmt::format("try {}", mark.trial + 1),
                        render::Rect{at.x - half, at.y - half, at.x + half, at.y + half});
  }
  std::optional<std::size_t> hit;
  if (mouse.is_hovered) {
    hit = render::hit_tried(chart, {mouse.at.x - origin.x, mouse.at.y - origin.y});
  }
  render::draw_tried(canvas, ui.palette(), chart, origin, hit);
  if (!hit) return;
  const std::size_t trial = chart.marks[*hit].trial;
  ui.view.tooltip = fmt::format("{}", fmt::join(render::trial_lines(*scene.tried, trial), "\n"));
  ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
  if (mouse.was_clicked) ui.ask("policy.take-tried", std::to_string(trial + 1));
}

}  // namespace tideline::ui
