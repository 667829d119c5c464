#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>

#include "render/model/chart_looks.h"
#include "render/model/hover_text.h"
#include "render/model/levels_limit.h"
#include "render/model/player.h"
#include "render/ui/chart_input.h"
#include "render/ui/context_menu.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostLiveRows = 1000;

// With a button at its end that goes back to the peak.
void live_heading(Ui& ui, const std::string& title) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize("Peak").x + 2 * style.FramePadding.x;
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  const std::string shown = fitted_end(title, right - at.x - width - style.ItemSpacing.x);
  heading(ui, shown.c_str(), "A click on the chart pins a place; the table then stays with it");
  ImGui::SetCursorScreenPos({right - width, at.y});
  if (ui.widgets.button("Peak", width, ui.view.pinned || ui.view.cursor || ui.view.player)) {
    leave_player(ui.view);
    ui.view.pinned.reset();
    ui.view.cursor.reset();
  }
  ui.widgets.hint("What is in memory at the peak");
}

void use_mouse(Ui& ui, const ChartMouse& mouse, render::MemoryLook& look) {
  ViewState& view = ui.view;
  const render::Scene& scene = *look.scene;
  const render::MemoryHit hit = render::hit_memory(look, mouse.at);
  if (!hit.position) return;
  const bool is_share = hit.item.kind == render::HitKind::kShare;
  view.cursor = hit.position;
  look.cursor = hit.position;
  if (hit.item.tensor) look.hovered = hit.item.tensor;
  std::string text = fmt::format("{}", fmt::join(hover_lines(look, hit), "\n"));
  if (is_share) text += kSortHint;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) ImGui::SetTooltip("%s", text.c_str());
  if (mouse.wants_menu && hit.tensor) open_menu(ui, *hit.tensor);
  if (!mouse.was_clicked) return;
  if (is_share) {
    sort_by_lateness(ui);
    return;
  }
  if (view.tab == Tab::kMemory) view.pinned = hit.position;
  const auto tensor = hit.tensor ? tensor_in_graph(scene, *hit.tensor) : std::nullopt;
  if (tensor) ui.ask("select.op", scene.graph->tensor_name(*tensor));
}

// Whose buffers are listed, and what the title says of it.
struct LivePlace {
  double position = 0;
  std::string place;
};

LivePlace live_place(const Ui& ui, render::MemoryAxis axis, const render::MemoryLayout& memory) {
  const render::Scene& scene = *ui.model.scene;
  const LevelStretch* limit = limit_of(ui.view);
  const bool is_played = ui.view.player && axis == render::MemoryAxis::kLevel;
  const std::optional<double>& pinned = is_played ? ui.view.player : ui.view.pinned;
  // The mouse leads the table, but not out of what it is limited to.
  const auto is_shown = [&](double at) {
    const auto level = level_at(scene, memory, static_cast<std::int32_t>(at));
    return limit == nullptr || (level && *level >= limit->from && *level <= limit->to);
  };
  const bool follows = ui.view.cursor && is_shown(*ui.view.cursor);
  const double position = pinned    ? *pinned
                          : follows ? *ui.view.cursor
                                    : peak_position(scene, memory, limit);
  std::string place;
  if (!is_played && pinned) place = ", pinned";
  if (!pinned && !follows) {
    place =
        limit != nullptr ? fmt::format(" (the peak of {})", levels_text(*limit)) : " (the peak)";
  }
  return {position, place};
}

}  // namespace

void draw_memory_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("memory");
  ViewState& view = ui.view;
  const render::Scene& scene = *ui.model.scene;
  const render::MemoryAxis kind = memory_axis_of(view, scene);
  AxisRange& range = memory_range(view, kind);
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::MemoryLook look = memory_look(ui.model, view, ui.cache, mouse.area);
  const render::MemoryLayout& memory = *look.memory;
  const bool has_levels = kind != render::MemoryAxis::kMeasuredTime && memory.runs.empty();
  const bool is_choosing =
      has_levels && take_levels(ui, render::memory_axis(look), memory.count, &memory);
  if (!is_choosing) move_range(mouse, render::memory_axis(look), memory.count, range);
  look.range = {range.first, range.span};
  if (!view.cursor || view.tab == Tab::kMemory) look.cursor = view.pinned;
  if (mouse.is_hovered) use_mouse(ui, mouse, look);
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  canvas.push_clip(mouse.area);
  render::draw_memory(canvas, look);
  // Below the levels, which have the text.
  if (has_levels) {
    draw_levels_stretch(canvas, ui, render::memory_axis(look), mouse.area, view.tab == Tab::kMemory,
                        &memory);
  }
  canvas.pop_clip();
}

void draw_live_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("live");
  const render::Scene& scene = *ui.model.scene;
  const render::MemoryAxis axis = memory_axis_of(ui.view, scene);
  const render::MemoryLayout& memory = ui.cache.memory(scene, ui.view.device, axis);
  const LivePlace at = live_place(ui, axis, memory);
  const render::LiveRows live = render::live_at(scene, memory, at.position, kMostLiveRows);
  if (axis == render::MemoryAxis::kMeasuredTime) {
    heading(ui, "In device memory");
    empty_state(ui, "The model has no tensors over measured time: choose levels or steps above.");
    return;
  }
  if (!memory.runs.empty()) {
    heading(ui, "In device memory");
    empty_state(ui, render::kNoTensorsOfRuns);
    return;
  }
  const std::string title = fmt::format("In device memory at {}{}: {} buffers, {}",
                                        render::position_text(memory, at.position), at.place,
                                        live.count, format_bytes(live.bytes));
  live_heading(ui, title);
  draw_limit(ui);
  ImGui::PushFont(ui.fonts.small);
  if (ImGui::BeginTable("live", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("tensor", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("8888.88 MiB").x);
    // Names come first: columns that would leave less than a dozen letters of them are left out.
    float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize -
                 ImGui::CalcTextSize("a dozen letters 8888.88 MiB").x;
    const auto fixed = [&](const char* name, const char* widest) {
      const float widest_px = ImGui::CalcTextSize(widest).x;
      room -= widest_px + 2 * ImGui::GetStyle().CellPadding.x + 1;
      ImGui::TableSetupColumn(
          name, ImGuiTableColumnFlags_WidthFixed | (room < 0 ? ImGuiTableColumnFlags_Disabled : 0),
          widest_px);
    };
    fixed("kind", "optimizer_slots");
    fixed("levels", "88888 - 88888");
    constexpr std::array<std::string_view, 4> kHelp = {
        "The output of an op, or what an op holds. A click selects it", "Its bytes",
        "What it is for", "The first and the last level at which it is in device memory"};
    table_headings(ui, kHelp);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(live.rows.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const render::LiveRow& row = live.rows[static_cast<std::size_t>(i)];
        ImGui::PushID(i);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const std::string full = shown_name(scene, row.tensor);
        const auto original = tensor_in_graph(scene, row.tensor);
        const std::string name = fitted(full, ImGui::GetContentRegionAvail().x);
        if (ui.widgets.selectable(name.c_str(), original && ui.view.selected == original, true))
          ui.ask("select.op", full);
        if (was_menu_wanted()) open_menu(ui, row.tensor);
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
