#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "render/model/chart_looks.h"
#include "render/ui/chart_input.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostLiveRows = 1000;

// Copies have ids behind those of the graph; what they are copies of has a name there.
TensorId in_graph(const render::Scene& scene, TensorId tensor) {
  const std::uint32_t count = scene.graph->op_count();
  if (scene.plan == nullptr) return tensor;
  // A swap-in reads a swap-out, that reads the tensor: two steps at most.
  for (int i = 0; i < 2 && tensor.op.valid() && tensor.op.value >= count; ++i) {
    const std::size_t at = tensor.op.value - count;
    const GraphPlan& edit = scene.plan->edit;
    if (at >= edit.added.size() || edit.added[at].input_count == 0) break;
    tensor = edit.inputs(edit.added[at]).front();
  }
  return tensor;
}

std::string name_of(const render::Scene& scene, TensorId tensor) {
  const TensorId original = in_graph(scene, tensor);
  if (!original.op.valid() || original.op.value >= scene.graph->op_count()) return "?";
  return printable(scene.graph->tensor_name(original), 400);
}

void tooltip(const render::Scene& scene, const render::MemoryLayout& memory,
             const render::MemoryHit& hit) {
  const bool is_time = memory.axis == render::MemoryAxis::kMeasuredTime;
  std::string text = fmt::format("{}\n{} {}", render::position_text(memory, *hit.position),
                                 is_time ? "model" : "original", format_bytes(hit.before));
  const Bytes measured = memory.measured.at(static_cast<std::int32_t>(*hit.position));
  if (!memory.measured.empty()) text += "\nmeasured " + format_bytes(measured);
  if (memory.has_after)
    text += fmt::format("\nwith the policy {}\non the host {}", format_bytes(hit.after),
                        format_bytes(hit.host));
  if (hit.tensor) text += "\n" + name_of(scene, *hit.tensor);
  ImGui::SetTooltip("%s", text.c_str());
}

}  // namespace

void draw_memory_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("memory");
  ViewState& view = ui.view;
  const render::Scene& scene = *ui.model.scene;
  AxisRange& range = memory_range(view, memory_axis_of(view, scene));
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::MemoryLook look = memory_look(ui.model, view, ui.cache, mouse.area);
  const render::MemoryLayout& memory = *look.memory;
  move_range(mouse, render::memory_axis(look), memory.count, range);
  look.range = {range.first, range.span};
  if (mouse.is_hovered) {
    const render::MemoryHit hit = render::hit_memory(look, mouse.at);
    if (hit.position) {
      view.cursor = hit.position;
      look.cursor = hit.position;
      if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) tooltip(scene, memory, hit);
    }
    if (mouse.was_clicked && hit.tensor) {
      const TensorId tensor = in_graph(scene, *hit.tensor);
      if (tensor.op.value < scene.graph->op_count())
        ui.ask("select.op", scene.graph->tensor_name(tensor));
    }
  }
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  canvas.push_clip(mouse.area);
  render::draw_memory(canvas, look);
  canvas.pop_clip();
}

void draw_live_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("live");
  const render::Scene& scene = *ui.model.scene;
  const render::MemoryAxis axis = memory_axis_of(ui.view, scene);
  const render::MemoryLayout& memory = ui.cache.memory(scene, ui.view.device, axis);
  const std::int32_t peak = memory.has_after ? memory.after_peak_at : memory.before_peak_at;
  const double position = ui.view.cursor.value_or(std::max(0, peak));
  const render::LiveRows live = render::live_at(scene, memory, position, kMostLiveRows);
  if (axis == render::MemoryAxis::kMeasuredTime) {
    heading(ui, "In device memory");
    empty_state(ui, "The model has no tensors over measured time: choose levels or steps above.");
    return;
  }
  const std::string title = fmt::format(
      "In device memory at {}{}: {} buffers, {}", render::position_text(memory, position),
      ui.view.cursor ? "" : " (the peak)", live.count, format_bytes(live.bytes));
  heading(ui, title.c_str());
  ImGui::PushFont(ui.fonts.small);
  if (ImGui::BeginTable("live", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("tensor", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("8888.88 MiB").x);
    ImGui::TableSetupColumn("kind", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("optimizer_slots").x);
    ImGui::TableSetupColumn("levels", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("88888 - 88888").x);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(live.rows.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const render::LiveRow& row = live.rows[static_cast<std::size_t>(i)];
        ImGui::PushID(i);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const std::string full = name_of(scene, row.tensor);
        const std::string name = fitted(full, ImGui::GetContentRegionAvail().x);
        if (ui.widgets.selectable(name.c_str(), ui.view.selected == in_graph(scene, row.tensor),
                                  true))
          ui.ask("select.op", full);
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(format_bytes(row.bytes).c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(std::string(memory_kind_name(row.kind)).c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(fmt::format("{} - {}", row.from_level, row.to_level).c_str());
        ImGui::PopID();
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace tideline::ui
