// The diff view: a click on a scope opens and closes it, one on an op shows how it differs.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "render/model/axis_range.h"
#include "render/model/diff_look.h"
#include "render/ui/chart_input.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/view/text_fit.h"

namespace tideline::ui {
namespace {

constexpr float kRowsAStep = 3;  // of the mouse wheel

// The wheel scrolls the lists, and zooms the levels as everywhere.
void take_wheel(Ui& ui, const ChartMouse& mouse, render::DiffLook& look,
                const render::DiffLayout& layout) {
  const float wheel = ImGui::GetIO().MouseWheel;
  const auto scroll = [&](double& rows, double most) {
    rows = std::clamp(rows - static_cast<double>(wheel * kRowsAStep), 0.0, most);
  };
  if (layout.levels.contains(mouse.at) || layout.memory.contains(mouse.at)) {
    const int count = look.changes->level_count();
    if (count == 0) return;
    const render::Axis axis =
        render::make_axis(look.range, count, layout.levels.x0, layout.levels.x1);
    move_range(mouse, axis, count, ui.view.axis);
    look.range = {ui.view.axis.first, ui.view.axis.span};
  } else if (wheel != 0) {
    const bool is_tree = mouse.at.x < layout.text.x0;
    is_tree ? scroll(ui.view.diff.scroll_rows, render::most_scroll_rows(look))
            : scroll(ui.view.diff.text_scroll_rows, render::most_text_scroll_rows(look));
    look.part = ui.view.diff;
  }
}

// Where tests and lessons find the rows.
void remember_rows(Ui& ui, const render::DiffLook& look, const render::DiffLayout& layout) {
  for (std::size_t i = 0; i < layout.shown_rows; ++i) {
    const render::DiffRow& row = look.rows[layout.first_row + i];
    const float y = layout.tree.y0 + static_cast<float>(i) * layout.line_px;
    const std::string_view name = row.op != render::DiffRow::kNone
                                      ? std::string_view(look.changes->ops[row.op].name)
                                      : look.changes->scopes[row.scope].path;
    ui.widgets.remember(fmt::format("row {}", name),
                        render::Rect{layout.tree.x0, y, layout.tree.x1, y + layout.line_px});
  }
}

}  // namespace

void draw_diff_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("diff");
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::DiffLook look = diff_look(ui.model, ui.view, ui.cache, mouse.area);
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  if (look.changes == nullptr) return render::draw_diff(canvas, look);
  if (mouse.is_hovered) take_wheel(ui, mouse, look, render::layout_diff(look));
  const render::DiffLayout layout = render::layout_diff(look);
  remember_rows(ui, look, layout);
  render::draw_diff(canvas, look);
  if (!mouse.is_hovered) return;
  const render::DiffHit hit = render::hit_diff(look, mouse.at);
  if (mouse.was_clicked && hit.is_scope) ui.ask("diff.toggle", hit.scope);
  if (mouse.was_clicked && !hit.op.empty()) ui.ask("diff.pick", hit.op);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) || hit.lines.empty()) return;
  ui.view.tooltip = fmt::format("{}", fmt::join(hit.lines, "\n"));
  ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
}

}  // namespace tideline::ui
