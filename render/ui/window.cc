#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr float kSplitterPx = 5;
constexpr float kUsualFontPx = 15;
constexpr float kLeastSidePx = 180;
constexpr float kLeastCentrePx = 240;
constexpr float kLeastShare = 0.12F;
constexpr float kMostShare = 0.8F;
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;

// A child window in a place of its own.
template <typename Draw>
void pane(const char* name, render::Rect rect, ImGuiWindowFlags flags, const Draw& draw) {
  if (rect.width() < 2 || rect.height() < 2) return;
  ImGui::SetCursorScreenPos({rect.x0, rect.y0});
  const bool seen = ImGui::BeginChild(name, {rect.width(), rect.height()}, false,
                                      flags | ImGuiWindowFlags_AlwaysUseWindowPadding);
  if (seen) draw();
  ImGui::EndChild();
}

// While there is no plan for the policy, what is shown belongs to an earlier one: it is drawn pale
// and says so.
constexpr float kPale = 0.45F;
template <typename Draw>
void plan_pane(Ui& ui, const char* name, render::Rect rect, ImGuiWindowFlags flags,
               const Draw& draw) {
  const bool is_outdated = !ui.model.policy_error.empty();
  pane(name, rect, flags, [&] {
    if (is_outdated) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, kPale);
    draw();
    if (is_outdated) ImGui::PopStyleVar();
  });
}

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

// Shares are dragged in pixels.
void share_splitter(Ui& ui, const char* name, render::Rect rect, float total_px, float* share,
                    float direction) {
  float px = *share * total_px;
  if (ui.widgets.splitter(name, false, rect, &px, direction, kLeastShare * total_px,
                          kMostShare * total_px)) {
    *share = px / total_px;
  }
}

void draw_left(Ui& ui) {
  if (ui.model.log) return draw_log_side_panel(ui);
  if (ui.model.checkpoint) return draw_checkpoint_side_panel(ui);
  draw_source_panel(ui);
  draw_policy_panel(ui);
  draw_scopes_panel(ui, ui.cache.result_height_px);
  const float top = ImGui::GetCursorPosY();
  draw_result_panel(ui);
  ui.cache.result_height_px = ImGui::GetCursorPosY() - top;
}

bool tab_button(Ui& ui, const char* label, bool is_chosen) {
  const ImGuiCol color = is_chosen ? ImGuiCol_TabActive : ImGuiCol_Tab;
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(color));
  const bool pressed = ui.widgets.button(label);
  ImGui::PopStyleColor();
  return pressed;
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
  ImGui::SetNextItemWidth(ui.px(130));
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
  ImGui::SetNextItemWidth(ui.px(90));
  if (ui.widgets.combo("##axis", &axis, axes)) {
    ui.view.memory_axis = static_cast<AxisKind>(axis);
    ui.view.cursor.reset();
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

void draw_toolbar(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("centre");
  if (ui.model.log) return draw_log_toolbar(ui);
  if (ui.model.checkpoint) return draw_checkpoint_toolbar(ui);
  for (const render::View& view : render::views()) {
    if (&view != render::views().data()) ImGui::SameLine();
    const std::string title(view.title);
    if (tab_button(ui, title.c_str(), ui.view.tab == tab_of(view))) ui.view.tab = tab_of(view);
  }
  const bool is_levels = ui.view.tab == Tab::kLevels;
  if (!ui.model.scene || !(is_levels || ui.view.tab == Tab::kMemory)) return;
  ImGui::SameLine(0, ui.px(20));
  if (is_levels) {
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

void draw_centre(Ui& ui, render::Rect rect) {
  const bool is_levels = ui.view.tab == Tab::kLevels;
  const bool is_timeline = ui.view.tab == Tab::kTimeline;
  const bool has_panel = is_levels || is_timeline || ui.view.tab == Tab::kMemory;
  const float bar = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().WindowPadding.y;
  pane("toolbar", {rect.x0, rect.y0, rect.x1, rect.y0 + bar},
       ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse,
       [&] { draw_toolbar(ui); });
  rect.y0 += bar;
  constexpr ImGuiWindowFlags kNoScrolling =
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
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
    if (!has_panel) {
      draw_view_panel(ui, upper);
    } else {
      is_levels ? draw_levels_panel(ui) : draw_memory_panel(ui);
    }
    veil(ui, upper);
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

void draw_right(Ui& ui, render::Rect rect) {
  if (ui.model.checkpoint) {
    return pane("tensor", rect, ImGuiWindowFlags_None, [&] { draw_tensor_panel(ui); });
  }
  const float gap = ui.px(kSplitterPx);
  const float split = rect.y1 - ui.view.inspector_share * rect.height();
  plan_pane(ui, "swaps", {rect.x0, rect.y0, rect.x1, split - gap}, ImGuiWindowFlags_None,
            [&] { draw_swaps_panel(ui); });
  share_splitter(ui, "splitter inspector", {rect.x0, split - gap, rect.x1, split}, rect.height(),
                 &ui.view.inspector_share, -1);
  plan_pane(ui, "inspector", {rect.x0, split, rect.x1, rect.y1}, ImGuiWindowFlags_None,
            [&] { draw_inspector_panel(ui); });
}

// Sides with their splitters; what is left is the centre's.
void draw_sides(Ui& ui, render::Rect all) {
  const float gap = ui.px(kSplitterPx);
  // Widths are meant for letters of the usual size: larger ones need wider sides.
  const float unit = ui.view.scale * std::max(1.0F, ui.view.font_px / kUsualFontPx);
  render::Rect centre = all;
  const float room = all.width() / unit - kLeastCentrePx;
  const auto most = [&](float other_px) { return std::max(kLeastSidePx, room - other_px); };
  float left = ui.view.show_left ? std::min(ui.view.left_px, most(kLeastSidePx)) : 0;
  float right = ui.view.show_right && !ui.model.log ? std::min(ui.view.right_px, most(left)) : 0;
  const auto side_splitter = [&](const char* name, float x, float* width, float direction,
                                 float other) {
    float px = *width * unit;
    if (ui.widgets.splitter(name, true, {x, all.y0, x + gap, all.y1}, &px, direction,
                            kLeastSidePx * unit, most(other) * unit)) {
      *width = px / unit;
    }
  };
  if (ui.view.show_left) {
    centre.x0 = all.x0 + left * unit + gap;
    pane("left", {all.x0, all.y0, centre.x0 - gap, all.y1}, ImGuiWindowFlags_None,
         [&] { draw_left(ui); });
    side_splitter("splitter left", centre.x0 - gap, &ui.view.left_px, 1, right);
  }
  // A log has its charts there.
  if (ui.view.show_right && !ui.model.log) {
    centre.x1 = all.x1 - right * unit - gap;
    draw_right(ui, {centre.x1 + gap, all.y0, all.x1, all.y1});
    side_splitter("splitter right", centre.x1, &ui.view.right_px, -1, left);
  }
  draw_centre(ui, centre);
}

// A line at the top of `all`, which becomes smaller.
void top_line(Ui& ui, const char* name, render::Rect& all, void (*draw)(Ui&)) {
  const float height = ImGui::GetFrameHeight() + ui.px(8);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(4)});
  pane(name, {all.x0, all.y0, all.x1, all.y0 + height},
       ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_HorizontalScrollbar, [&] { draw(ui); });
  ImGui::PopStyleVar();
  all.y0 += height;
}

}  // namespace

void draw_window(Ui& ui) {
  ui.widgets.begin_frame();
  ui.view.hovered.reset();
  ui.view.tooltip.clear();
  ui.view.log.wanted_images.clear();
  if (ui.view.tab != Tab::kMemory) ui.view.cursor.reset();
  ui.cache.update(ui.model, ui.view);
  draw_menu_bar(ui);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float top = ImGui::GetFrameHeight();
  const float status = ImGui::GetFrameHeight() + ui.px(4);
  ImGui::SetNextWindowPos({0, top});
  ImGui::SetNextWindowSize({screen.x, screen.y - top});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec4(ui.palette().background));
  ImGui::Begin("tideline", nullptr, kFixed);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  render::Rect rest = {0, top, screen.x, screen.y - status};
  if (has_banner(ui)) top_line(ui, "banner", rest, draw_banner);
  if (ui.model.documents.size() > 1) top_line(ui, "documents", rest, draw_document_tabs);
  draw_sides(ui, rest);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(2)});
  pane("status", {0, screen.y - status, screen.x, screen.y},
       ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse,
       [&] { draw_status_bar(ui); });
  ImGui::PopStyleVar();
  ImGui::End();
  draw_popups(ui);
}

}  // namespace tideline::ui
