#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/dtype.h"
#include "render/model/axis_range.h"
#include "render/model/chart_looks.h"
#include "render/ui/chart_input.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kNamesInTooltip = 6;

std::string size_text(const render::Scene& scene, TensorId tensor) {
  const bool is_unknown = scene.tensors->is_unknown(tensor);
  return (is_unknown ? "at least " : "") + format_bytes(scene.tensors->bytes(tensor));
}

bool exists(const render::Scene& scene, TensorId tensor) {
  return tensor.op.index() < scene.graph->op_count() &&
         tensor.slot < scene.tensors->output_count(tensor.op);
}

std::string op_text(const render::Scene& scene, OpId op) {
  std::string text =
      fmt::format("{}\n{}, {}, level {}", printable(scene.graph->name(op), 400),
                  scene.graph->type(op), phase_name(scene.phases->of(op)), scene.levels->level(op));
  const TensorId output = {op, 0};
  if (exists(scene, output)) text += ", " + size_text(scene, output);
  return text;
}

std::string hit_text(const render::Scene& scene, const render::SwapLayout& swaps,
                     const render::Hit& hit) {
  const bool known = hit.tensor && exists(scene, *hit.tensor);
  const auto name = [&] { return printable(scene.graph->tensor_name(*hit.tensor), 400); };
  switch (hit.kind) {
    case render::HitKind::kNothing: return "";
    case render::HitKind::kOp:
      return hit.tensor && hit.tensor->op.index() < scene.graph->op_count()
                 ? op_text(scene, hit.tensor->op)
                 : "";
    case render::HitKind::kFolded: {
      std::string text = fmt::format("{} ops", hit.ops.size());
      for (std::size_t i = 0; i < std::min(hit.ops.size(), kNamesInTooltip); ++i)
        text += "\n" + printable(scene.graph->name(hit.ops[i]), 200);
      if (hit.ops.size() > kNamesInTooltip)
        text += fmt::format("\nand {} more", hit.ops.size() - kNamesInTooltip);
      return text;
    }
    case render::HitKind::kSwap:
    case render::HitKind::kSwapGroup: {
      const bool is_group = hit.kind == render::HitKind::kSwapGroup;
      const auto& bars = is_group ? swaps.groups : swaps.bars;
      if (hit.swap < 0 || static_cast<std::size_t>(hit.swap) >= bars.size()) return "";
      const render::SwapBar& bar = bars[static_cast<std::size_t>(hit.swap)];
      const std::string what =
          bar.members > 1 ? fmt::format("{} tensors of {}", bar.members,
                                        printable(scene.scopes->scopes[bar.scope].path, 200))
          : known         ? name()
                          : "";
      return fmt::format("{}\n{} in host memory from level {} to {}", what, format_bytes(bar.bytes),
                         bar.out_level, bar.end_level);
    }
    case render::HitKind::kCandidate:
      return known ? fmt::format("{}\n{} stays on the device with this policy", name(),
                                 size_text(scene, *hit.tensor))
                   : "";
  }
  return "";
}

void select(Ui& ui, const render::Scene& scene, const render::Hit& hit) {
  if (!hit.tensor || hit.tensor->op.index() >= scene.graph->op_count()) {
    ui.ask("select.clear");
  } else {
    ui.ask("select.op", scene.graph->tensor_name(*hit.tensor));
  }
}

void use_mouse(Ui& ui, const ChartMouse& mouse, const render::LevelsLook& look) {
  const render::Scene& scene = *look.scene;
  const render::Hit hit = render::hit_levels(look, mouse.at);
  ui.view.cursor = hit.level;
  ui.view.hovered = hit.tensor;
  ui.view.tooltip = hit_text(scene, *look.swaps, hit);
  if (!ui.view.tooltip.empty() && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
    ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
  if (mouse.was_clicked) select(ui, scene, hit);
  if (mouse.was_double_clicked) {
    if (hit.tensor) {
      ui.ask("view.fit-selection");
    } else if (hit.level) {
      ui.view.axis = zoomed(ui.view.axis, look.ops->level_count, 4, *hit.level);
    }
  }
}

}  // namespace

void draw_levels_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("levels");
  ViewState& view = ui.view;
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::LevelsLook look = levels_look(ui.model, view, ui.cache, mouse.area);
  move_range(mouse, render::levels_axis(look), look.ops->level_count, view.axis);
  look.range = {view.axis.first, view.axis.span};
  if (mouse.row_zoom != 1) zoom_rows(view, mouse.area, mouse.row_zoom, mouse.at.y);
  view.y_scroll_px -= mouse.drag_y_px;
  limit_rows(view, look);
  if (mouse.is_hovered) {
    use_mouse(ui, mouse, look);
    look.hovered = view.hovered;
    look.cursor = view.cursor;
  }
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  canvas.push_clip(mouse.area);
  render::draw_levels(canvas, look);
  canvas.pop_clip();
}

}  // namespace tideline::ui
