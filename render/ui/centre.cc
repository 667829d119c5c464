// The centre of the window: tabs, the view that is chosen, and what stands below it.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/plan_pane.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

// The same over a canvas, whose colours are its own.
void veil(const Ui& ui, render::Rect rect) {
  if (ui.model.policy_error.empty()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec4 pale = to_vec4(ui.palette().background);
  pale.w = 1 - kPale;
  list->AddRectFilled({rect.x0, rect.y0}, {rect.x1, rect.y1}, ImGui::ColorConvertFloat4ToU32(pale));
  constexpr const char* kText = "the last plan; there is none for the current policy";
  const float width = ImGui::CalcTextSize(kText).x;
  list->AddText({(rect.x0 + rect.x1 - width) / 2, rect.y0 + ui.px(4)}, to_u32(ui.palette().error),
                kText);
}

bool tab_button(Ui& ui, const char* label, bool is_chosen) {
  const ImGuiCol color = is_chosen ? ImGuiCol_TabActive : ImGuiCol_Tab;
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(color));
  const bool pressed = ui.widgets.button(label);
  ImGui::PopStyleColor();
  return pressed;
}

// For the longest choice, but for at most so many letters; what is longer is cut.
void set_combo_width(float least_px, std::span<const char* const> choices, float most_letters) {
  float text_px = 0;
  for (const char* choice : choices) text_px = std::max(text_px, ImGui::CalcTextSize(choice).x);
  text_px = std::min(text_px, most_letters * ImGui::GetFontSize() / 2);
  const float arrow_px = ImGui::GetFrameHeight();
  const float needed_px = std::ceil(text_px + arrow_px + 2 * ImGui::GetStyle().FramePadding.x);
  ImGui::SetNextItemWidth(std::max(least_px, needed_px));
}

void draw_device_choice(Ui& ui) {
  const auto& devices = ui.model.scene->devices;
  if (devices.size() < 2) return;
  std::vector<std::string> names;
  std::vector<const char*> choices;
  for (const auto& device : devices)
    names.push_back(device.device.empty() ? "(no device)" : printable(device.device));
  for (const std::string& name : names) choices.push_back(name.c_str());
  int chosen = static_cast<int>(std::min<std::size_t>(ui.view.device, devices.size() - 1));
  ImGui::SameLine();
  set_combo_width(ui.px(130), choices, 24);
  if (ui.widgets.combo("##device", &chosen, choices))
    ui.view.device = static_cast<std::uint32_t>(chosen);
}

// As AxisKind counts; time only with a traced step.
void draw_axis_choice(Ui& ui) {
  static constexpr std::array<const char*, 3> kAxes = {"by level", "by step", "by time"};
  const bool has_time = ui.model.scene->measured != nullptr;
  const std::span<const char* const> axes(kAxes.data(), has_time ? 3 : 2);
  int axis = std::min(static_cast<int>(ui.view.memory_axis), static_cast<int>(axes.size()) - 1);
  if (!has_time && ui.view.memory_axis == AxisKind::kMeasuredTime) axis = 0;
  set_combo_width(ui.px(90), axes, 24);
  if (ui.widgets.combo("##axis", &axis, axes)) {
    ui.view.memory_axis = static_cast<AxisKind>(axis);
    ui.view.cursor.reset();
    ui.view.pinned.reset();
  }
  if (!has_time && ImGui::IsItemHovered())
    ImGui::SetTooltip("By measured time: open a traced step first (File, Open a traced step)");
}

void draw_log_toolbar(Ui& ui) {
  struct Page {
    const char* name;
    LogPage page;
  };
  static constexpr std::array kPages = {Page{"Scalars", LogPage::kScalars},
                                        Page{"Histograms", LogPage::kHistograms},
                                        Page{"Distributions", LogPage::kDistributions},
                                        Page{"Images", LogPage::kImages},
                                        Page{"Text", LogPage::kText},
                                        Page{"HParams", LogPage::kHparams},
                                        Page{"Graphs", LogPage::kGraphs}};
  for (const Page& page : kPages) {
    if (&page != kPages.data()) ImGui::SameLine();
    if (tab_button(ui, page.name, ui.view.log.page == page.page)) ui.view.log.page = page.page;
  }
}

void draw_checkpoint_toolbar(Ui& ui) {
  struct Page {
    const char* name;
    CheckpointPage page;
  };
  static constexpr std::array kPages = {Page{"Tensors", CheckpointPage::kTensors},
                                        Page{"Comparison", CheckpointPage::kComparison},
                                        Page{"Backends", CheckpointPage::kBackends}};
  for (const Page& page : kPages) {
    if (&page != kPages.data()) ImGui::SameLine();
    CheckpointPage& shown = ui.view.checkpoint.page;
    if (tab_button(ui, page.name, shown == page.page)) shown = page.page;
  }
}

// The speed is chosen while there is a cursor.
void draw_player_controls(Ui& ui) {
  if (ui.widgets.button(ui.view.is_playing ? "Pause" : "Play")) ui.ask("player.play");
  ui.widgets.hint("Walk through the step level by level (P)");
  ImGui::SameLine();
  if (!ui.view.player) return;
  static constexpr std::array kSpeeds = {1, 2, 4, 8, 16, 32, 64};
  static constexpr std::array<const char*, 7> kNames = {"1 /s",  "2 /s",  "4 /s", "8 /s",
                                                        "16 /s", "32 /s", "64 /s"};
  const auto* const at = std::lower_bound(kSpeeds.begin(), kSpeeds.end(), ui.view.player_speed);
  int speed = static_cast<int>(std::min<std::ptrdiff_t>(at - kSpeeds.begin(), kSpeeds.size() - 1));
  set_combo_width(ui.px(72), kNames, 24);
  if (ui.widgets.combo("##speed", &speed, kNames)) {
    ui.ask("player.speed", fmt::format("{}", kSpeeds[static_cast<std::size_t>(speed)]));
  }
  ui.widgets.hint("Levels a second");
  ImGui::SameLine();
  if (ui.widgets.button("x##player")) ui.ask("player.leave");
  ui.widgets.hint("Leave the step player (Escape)");
  ImGui::SameLine();
}

void draw_toolbar(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("centre");
  if (ui.model.log) return draw_log_toolbar(ui);
  if (ui.model.checkpoint) return draw_checkpoint_toolbar(ui);
  const bool has_search = ui.model.tried != nullptr;
  for (const render::View& view : render::views()) {
    if (view.needs_search && !has_search && ui.view.tab != tab_of(view)) continue;
    if (&view != render::views().data()) ImGui::SameLine();
    const std::string title(view.title);
    if (tab_button(ui, title.c_str(), ui.view.tab == tab_of(view))) ui.view.tab = tab_of(view);
  }
  const bool is_levels = ui.view.tab == Tab::kLevels;
  if (!ui.model.scene || !(is_levels || ui.view.tab == Tab::kMemory)) return;
  ImGui::SameLine(0, ui.px(20));
  if (is_levels) {
    draw_player_controls(ui);
    ui.widgets.checkbox("candidates", &ui.view.show_candidates);
    ImGui::SameLine();
    ui.widgets.checkbox("control edges", &ui.view.show_control_edges);
    ImGui::SameLine();
  } else {
    draw_axis_choice(ui);
    ImGui::SameLine();
    auto detail = static_cast<float>(ui.view.detail_0_1);
    ImGui::SetNextItemWidth(ui.px(110));
    if (ui.widgets.slider("detail", &detail, 0, 1, "%.2f", false))
      ui.view.detail_0_1 = static_cast<double>(detail);
    ImGui::SameLine();
  }
  ui.widgets.checkbox("original", &ui.view.show_original);
  draw_device_choice(ui);
}

void (*panel_of(LogPage page))(Ui&) {
  switch (page) {
    case LogPage::kScalars: return draw_scalars_panel;
    case LogPage::kHistograms:
    case LogPage::kDistributions: return draw_histograms_panel;
    case LogPage::kImages: return draw_images_panel;
    case LogPage::kText: return draw_texts_panel;
    case LogPage::kHparams: return draw_hparams_panel;
    case LogPage::kGraphs: break;
  }
  return draw_log_panel;
}

// A view without a panel of its own is drawn as in a picture.
void draw_view_panel(Ui& ui, render::Rect area) {
  const render::View& view = view_of(ui.view.tab);
  if (view.needs_trace && ui.model.scene->measured == nullptr) {
    ImGui::TextWrapped("%s is of a traced step (File, Open a traced step).",
                       std::string(view.title).c_str());
    return;
  }
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  view.draw(canvas, {&*ui.model.scene, ui.view.theme, area, ui.view.font_px * ui.view.scale});
}

}  // namespace

void draw_centre(Ui& ui, render::Rect rect) {
  const bool is_levels = ui.view.tab == Tab::kLevels;
  const bool is_timeline = ui.view.tab == Tab::kTimeline;
  const bool has_panel = is_levels || is_timeline || ui.view.tab == Tab::kMemory;
  const float bar = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().WindowPadding.y;
  pane("toolbar", {rect.x0, rect.y0, rect.x1, rect.y0 + bar}, kNoScrolling,
       [&] { draw_toolbar(ui); });
  rect.y0 += bar;
  if (!ui.model.scene) {
    const auto draw = ui.model.log          ? panel_of(ui.view.log.page)
                      : ui.model.checkpoint ? draw_checkpoint_panel
                                            : draw_welcome_panel;
    // Each page scrolls by itself.
    const std::string name =
        ui.model.log ? fmt::format("log {}", static_cast<int>(ui.view.log.page)) : "welcome";
    pane(name.c_str(), rect, ImGuiWindowFlags_None, [&] { draw(ui); });
    return;
  }
  if (ui.view.tab == Tab::kFit) {  // of the step without a policy
    return pane("fit", rect, ImGuiWindowFlags_None, [&] { draw_fit_panel(ui); });
  }
  const float gap = ui.px(kSplitterPx);
  const bool has_bottom = ui.view.show_bottom && has_panel;
  const float below = has_bottom ? ui.view.bottom_share * rect.height() : 0;
  const float split = rect.y1 - below;
  const render::Rect upper = {rect.x0, rect.y0, rect.x1, has_bottom ? split - gap : rect.y1};
  if (has_bottom)
    share_splitter(ui, "splitter bottom", {rect.x0, split - gap, rect.x1, split}, rect.height(),
                   &ui.view.bottom_share, -1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  const render::Rect lower = {rect.x0, split, rect.x1, rect.y1};
  pane("upper", upper, kNoScrolling, [&] {
    if (is_timeline) return draw_timeline_panel(ui);  // of what ran, whatever the policy
    if (ui.view.tab == Tab::kTried) {
      draw_tried_panel(ui);
    } else if (!has_panel) {
      draw_view_panel(ui, upper);
    } else {
      is_levels ? draw_levels_panel(ui) : draw_memory_panel(ui);
    }
    if (ui.view.tab != Tab::kTried) veil(ui, upper);  // which is about the current policy
  });
  if (has_bottom && is_levels) {
    pane("lower", lower, kNoScrolling, [&] {
      draw_memory_panel(ui);
      veil(ui, lower);
    });
  }
  ImGui::PopStyleVar();
  if (has_bottom && is_timeline)
    pane("statistics", lower, kNoScrolling, [&] { draw_timeline_statistics(ui); });
  if (has_bottom && !is_levels && !is_timeline)
    plan_pane(ui, "live", lower, kNoScrolling, [&] { draw_live_panel(ui); });
}

}  // namespace tideline::ui
