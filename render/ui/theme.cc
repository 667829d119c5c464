#include "render/ui/theme.h"

#include <imgui.h>

namespace tideline::ui {
namespace {

using render::Color;

void set_sizes(ImGuiStyle& style, float scale) {
  style = ImGuiStyle();
  style.WindowPadding = {10, 8};
  style.FramePadding = {6, 3};
  style.ItemSpacing = {6, 5};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {5, 2};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 12;
  style.GrabMinSize = 10;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameRounding = 3;
  style.GrabRounding = 3;
  style.PopupRounding = 4;
  style.ScrollbarRounding = 6;
  style.TabRounding = 3;
  style.WindowMinSize = {16, 16};
  style.DisabledAlpha = 0.45F;
  style.ScaleAllSizes(scale);
}

}  // namespace

ImVec4 to_vec4(Color color) {
  return {static_cast<float>(color.r) / 255, static_cast<float>(color.g) / 255,
          static_cast<float>(color.b) / 255, static_cast<float>(color.a) / 255};
}

unsigned to_u32(Color color) {
  return IM_COL32(color.r, color.g, color.b, color.a);
}

Color mix(Color a, Color b, double share) {
  const auto part = [share](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(from + (to - from) * share + 0.5);
  };
  return {part(a.r, b.r), part(a.g, b.g), part(a.b, b.b), part(a.a, b.a)};
}

void apply_theme(render::ThemeKind theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  set_sizes(style, scale);
  const render::Palette& p = render::palette(theme);
  const auto set = [&style](ImGuiCol at, Color color) { style.Colors[at] = to_vec4(color); };
  const Color pressed = mix(p.raised, p.accent, 0.55), over = mix(p.raised, p.accent, 0.3);
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.dim_text);
  set(ImGuiCol_WindowBg, p.panel);
  set(ImGuiCol_ChildBg, p.panel);
  set(ImGuiCol_PopupBg, mix(p.panel, p.raised, 0.4));
  set(ImGuiCol_MenuBarBg, p.raised);
  set(ImGuiCol_TitleBg, p.raised);
  set(ImGuiCol_TitleBgActive, mix(p.raised, p.accent, 0.3));
  set(ImGuiCol_TitleBgCollapsed, p.raised);
  set(ImGuiCol_Border, p.outline.with_alpha(0.5));
  set(ImGuiCol_FrameBg, p.raised);
  set(ImGuiCol_FrameBgHovered, over);
  set(ImGuiCol_FrameBgActive, pressed);
  set(ImGuiCol_ScrollbarBg, p.panel);
  set(ImGuiCol_ScrollbarGrab, mix(p.raised, p.dim_text, 0.35));
  set(ImGuiCol_ScrollbarGrabHovered, mix(p.raised, p.dim_text, 0.6));
  set(ImGuiCol_ScrollbarGrabActive, p.dim_text);
  set(ImGuiCol_CheckMark, p.accent);
  set(ImGuiCol_SliderGrab, p.accent);
  set(ImGuiCol_SliderGrabActive, mix(p.accent, p.text, 0.3));
  set(ImGuiCol_Button, mix(p.raised, p.accent, 0.18));
  set(ImGuiCol_ButtonHovered, mix(p.raised, p.accent, 0.45));
  set(ImGuiCol_ButtonActive, mix(p.raised, p.accent, 0.65));
  set(ImGuiCol_Header, mix(p.panel, p.accent, 0.3));
  set(ImGuiCol_HeaderHovered, mix(p.panel, p.accent, 0.2));
  set(ImGuiCol_HeaderActive, mix(p.panel, p.accent, 0.4));
  set(ImGuiCol_Separator, p.grid);
  set(ImGuiCol_SeparatorHovered, p.accent);
  set(ImGuiCol_SeparatorActive, p.accent);
  set(ImGuiCol_Tab, p.raised);
  set(ImGuiCol_TabHovered, mix(p.raised, p.accent, 0.45));
  set(ImGuiCol_TabActive, mix(p.raised, p.accent, 0.35));
  set(ImGuiCol_TableHeaderBg, p.raised);
  set(ImGuiCol_TableBorderStrong, p.grid);
  set(ImGuiCol_TableBorderLight, p.grid);
  set(ImGuiCol_TableRowBg, p.panel);
  set(ImGuiCol_TableRowBgAlt, mix(p.panel, p.raised, 0.35));
  set(ImGuiCol_TextSelectedBg, p.accent.with_alpha(0.4));
  set(ImGuiCol_NavHighlight, p.accent);
  set(ImGuiCol_PlotHistogram, p.accent);
  set(ImGuiCol_ModalWindowDimBg, p.background.with_alpha(0.6));
}

}  // namespace tideline::ui
