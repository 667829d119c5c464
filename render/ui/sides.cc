// Both sides of the window with their splitters; what is left is the centre's. Where there is no
// room for all three, a side becomes a strip of icons: the right one first. A click on an icon
// shows the side in front of the centre.
#include <imgui.h>

#include <algorithm>
#include <array>

#include "render/model/view_cache.h"
#include "render/ui/panels.h"
#include "render/ui/plan_pane.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

// Widths are meant for letters of the usual size: larger ones need wider sides.
constexpr float kUsualFontPx = 15;
constexpr float kLeastLeftPx = 230;
constexpr float kLeastRightPx = 270;
// With less than that the centre says too little beside the sides.
constexpr float kLeastCentrePx = 340;

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

enum class Icon : std::uint8_t { kGraph, kPolicy, kScopes, kSwaps, kInspector };

// Shapes instead of letters: every face has them, and they are the same in all sizes.
void draw_icon(const Ui& ui, Icon icon, ImVec2 at, float size) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const unsigned color = to_u32(ui.palette().text);
  const float line = std::max(1.0F, size / 12);
  const auto p = [&](float x, float y) { return ImVec2(at.x + x * size, at.y + y * size); };
  switch (icon) {
    case Icon::kGraph:
      list->AddLine(p(0.25F, 0.25F), p(0.75F, 0.5F), color, line);
      list->AddLine(p(0.25F, 0.75F), p(0.75F, 0.5F), color, line);
      list->AddCircleFilled(p(0.25F, 0.25F), size * 0.13F, color);
      list->AddCircleFilled(p(0.25F, 0.75F), size * 0.13F, color);
      list->AddCircleFilled(p(0.75F, 0.5F), size * 0.13F, color);
      break;
    case Icon::kPolicy: {
      constexpr std::array<float, 3> kKnobs = {0.65F, 0.35F, 0.55F};
      for (std::size_t i = 0; i < kKnobs.size(); ++i) {
        const float y = 0.25F + 0.25F * static_cast<float>(i);
        list->AddLine(p(0.15F, y), p(0.85F, y), color, line);
        list->AddCircleFilled(p(kKnobs[i], y), size * 0.1F, color);
      }
      break;
    }
    case Icon::kScopes:
      list->AddRectFilled(p(0.15F, 0.15F), p(0.55F, 0.3F), color);
      list->AddRectFilled(p(0.4F, 0.45F), p(0.85F, 0.6F), color);
      list->AddRectFilled(p(0.4F, 0.72F), p(0.85F, 0.87F), color);
      list->AddLine(p(0.25F, 0.3F), p(0.25F, 0.8F), color, line);
      list->AddLine(p(0.25F, 0.52F), p(0.4F, 0.52F), color, line);
      list->AddLine(p(0.25F, 0.8F), p(0.4F, 0.8F), color, line);
      break;
    case Icon::kSwaps:
      list->AddTriangleFilled(p(0.15F, 0.45F), p(0.32F, 0.15F), p(0.49F, 0.45F), color);
      list->AddLine(p(0.32F, 0.4F), p(0.32F, 0.85F), color, line * 1.5F);
      list->AddTriangleFilled(p(0.51F, 0.55F), p(0.68F, 0.85F), p(0.85F, 0.55F), color);
      list->AddLine(p(0.68F, 0.6F), p(0.68F, 0.15F), color, line * 1.5F);
      break;
    case Icon::kInspector:
      list->AddCircle(p(0.42F, 0.42F), size * 0.26F, color, 0, line * 1.5F);
      list->AddLine(p(0.6F, 0.6F), p(0.86F, 0.86F), color, line * 2);
      break;
  }
}

struct IconEntry {
  Icon icon;
  const char* name;
};

float icon_size(const Ui& ui) {
  return std::max(ImGui::GetFrameHeight(), ui.px(22));
}

// What a side that has no room shows instead.
void draw_strip(Ui& ui, Side side, std::span<const IconEntry> icons) {
  const Widgets::Group group = ui.widgets.group(side == Side::kLeft ? "left icons" : "right icons");
  const float size = icon_size(ui);
  for (const IconEntry& entry : icons) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool is_open = ui.view.open_side == side;
    if (is_open) {
      ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size},
                                                to_u32(ui.palette().raised));
    }
    if (ImGui::InvisibleButton(entry.name, {size, size}))
      ui.view.open_side = is_open ? Side::kNone : side;
    ui.widgets.remember(entry.name);
    ui.widgets.hint(entry.name);
    draw_icon(ui, entry.icon, at, size);
  }
}

void draw_left_strip(Ui& ui) {
  static constexpr std::array kOfGraph = {IconEntry{Icon::kGraph, "Graph"},
                                          IconEntry{Icon::kPolicy, "Swap policy"},
                                          IconEntry{Icon::kScopes, "Scopes"}};
  static constexpr std::array kOfOthers = {IconEntry{Icon::kPolicy, "What is shown"}};
  const bool is_other = ui.model.log || ui.model.checkpoint;
  is_other ? draw_strip(ui, Side::kLeft, kOfOthers) : draw_strip(ui, Side::kLeft, kOfGraph);
}

void draw_right_strip(Ui& ui) {
  static constexpr std::array kOfGraph = {IconEntry{Icon::kSwaps, "Swaps"},
                                          IconEntry{Icon::kInspector, "Inspector"}};
  static constexpr std::array kOfCheckpoint = {IconEntry{Icon::kInspector, "Tensor"}};
  ui.model.checkpoint ? draw_strip(ui, Side::kRight, kOfCheckpoint)
                      : draw_strip(ui, Side::kRight, kOfGraph);
}

// In front of the centre, beside its strip.
void draw_over(Ui& ui, render::Rect centre, float width_px) {
  const float width = std::min(width_px, centre.width());
  const bool is_left = ui.view.open_side == Side::kLeft;
  const render::Rect rect = is_left
                                ? render::Rect{centre.x0, centre.y0, centre.x0 + width, centre.y1}
                                : render::Rect{centre.x1 - width, centre.y0, centre.x1, centre.y1};
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec4(ui.palette().panel));
  if (is_left) {
    pane("left", rect, ImGuiWindowFlags_None, [&] { draw_left(ui); });
  } else {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    pane("right", rect, kNoScrolling, [&] {
      ImGui::PopStyleVar();
      draw_right(ui, rect);
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    });
    ImGui::PopStyleVar();
  }
  ImGui::PopStyleColor();
  ImGui::GetWindowDrawList()->AddRect({rect.x0, rect.y0}, {rect.x1, rect.y1},
                                      to_u32(ui.palette().outline));
}

}  // namespace

void draw_sides(Ui& ui, render::Rect all) {
  ViewState& view = ui.view;
  const float gap = ui.px(kSplitterPx);
  const float unit = view.scale * std::max(1.0F, view.font_px / kUsualFontPx);
  const float room = all.width() / unit;
  // A log has its charts there, and before something is open there is nothing to show.
  const bool has_right = view.show_right && !ui.model.log;
  view.is_right_narrow =
      room < (view.show_left ? kLeastLeftPx : 0) + kLeastRightPx + kLeastCentrePx;
  view.is_left_narrow = room < kLeastLeftPx + kLeastCentrePx;
  const bool has_left_side = view.show_left && !view.is_left_narrow;
  const bool has_right_side = has_right && !view.is_right_narrow;
  if (!view.is_left_narrow && view.open_side == Side::kLeft) view.open_side = Side::kNone;
  if ((!view.is_right_narrow || !has_right) && view.open_side == Side::kRight)
    view.open_side = Side::kNone;
  if (!view.show_left && view.open_side == Side::kLeft) view.open_side = Side::kNone;

  render::Rect centre = all;
  const auto most = [&](float least_px, float other_px) {
    return std::max(least_px, room - kLeastCentrePx - other_px);
  };
  const float left =
      has_left_side ? std::min(view.left_px, most(kLeastLeftPx, has_right_side ? kLeastRightPx : 0))
                    : 0;
  const float right = has_right_side ? std::min(view.right_px, most(kLeastRightPx, left)) : 0;
  const auto side_splitter = [&](const char* name, float x, float* width, float direction,
                                 float least_px, float other_px) {
    float px = *width * unit;
    if (ui.widgets.splitter(name, true, {x, all.y0, x + gap, all.y1}, &px, direction,
                            least_px * unit, most(least_px, other_px) * unit)) {
      *width = px / unit;
    }
  };
  const float strip = icon_size(ui) + ui.px(8);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(4), ui.px(4)});
  if (view.show_left && view.is_left_narrow) {
    centre.x0 = all.x0 + strip;
    pane("left strip", {all.x0, all.y0, centre.x0, all.y1}, kNoScrolling,
         [&] { draw_left_strip(ui); });
  }
  if (has_right && view.is_right_narrow) {
    centre.x1 = all.x1 - strip;
    pane("right strip", {centre.x1, all.y0, all.x1, all.y1}, kNoScrolling,
         [&] { draw_right_strip(ui); });
  }
  ImGui::PopStyleVar();
  if (has_left_side) {
    centre.x0 = all.x0 + left * unit + gap;
    pane("left", {all.x0, all.y0, centre.x0 - gap, all.y1}, ImGuiWindowFlags_None,
         [&] { draw_left(ui); });
    side_splitter("splitter left", centre.x0 - gap, &view.left_px, 1, kLeastLeftPx, right);
  }
  if (has_right_side) {
    centre.x1 = all.x1 - right * unit - gap;
    draw_right(ui, {centre.x1 + gap, all.y0, all.x1, all.y1});
    side_splitter("splitter right", centre.x1, &view.right_px, -1, kLeastRightPx, left);
  }
  draw_centre(ui, centre);
  if (view.open_side == Side::kNone) return;
  draw_over(ui, centre, (view.open_side == Side::kLeft ? view.left_px : view.right_px) * unit);
}

}  // namespace tideline::ui
