#include "render/ui/widgets.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "render/ui/panel.h"

namespace tideline::ui {
namespace {

std::string_view shown(std::string_view label) {
  return label.substr(0, label.find("##"));
}

// The name under which a widget is recorded; one without a label, "##filter", as "filter".
std::string_view recorded(std::string_view label) {
  return shown(label).empty() ? label.substr(2) : label;
}

// What of it has room in the field that comes next.
std::string fitted_hint(const char* hint) {
  return fitted_end(hint, ImGui::CalcItemWidth() - 2 * ImGui::GetStyle().FramePadding.x);
}

ImGuiSliderFlags slider_flags(bool is_logarithmic, bool takes_text) {
  return ImGuiSliderFlags_AlwaysClamp |
         (is_logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None) |
         (takes_text ? ImGuiSliderFlags_NoInput : ImGuiSliderFlags_None);
}

}  // namespace

Widgets::Group::Group(Widgets& widgets, std::string_view name)
    : widgets_(widgets), length_before_(widgets.prefix_.size()) {
  widgets.prefix_.append(name).push_back('/');
  ImGui::PushID(name.data(), name.data() + name.size());
}

Widgets::Group::~Group() {
  ImGui::PopID();
  widgets_.prefix_.resize(length_before_);
}

void Widgets::begin_frame() {
  count_ = 0;
  prefix_.clear();
}

const Item* Widgets::find(std::string_view label) const {
  const auto all = items();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [label](const Item& item) { return item.label == label; });
  return found == all.end() ? nullptr : &*found;
}

void Widgets::remember(std::string_view label, render::Rect rect, bool enabled) {
  const ImVec2 from = ImGui::GetWindowDrawList()->GetClipRectMin();
  const ImVec2 to = ImGui::GetWindowDrawList()->GetClipRectMax();
  rect = {std::max(rect.x0, from.x), std::max(rect.y0, from.y), std::min(rect.x1, to.x),
          std::min(rect.y1, to.y)};
  if (rect.x1 <= rect.x0 || rect.y1 <= rect.y0) return;
  if (count_ == items_.size()) items_.emplace_back();
  Item& item = items_[count_++];
  item.label.assign(prefix_).append(shown(label));
  item.rect = rect;
  item.enabled = enabled;
}

void Widgets::close_on_escape() {
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
}

void Widgets::hint(std::string_view text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  remember("hint");
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void Widgets::remember(std::string_view label, bool enabled) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  remember(label, {from.x, from.y, to.x, to.y}, enabled);
}

void Widgets::remember_frame(std::string_view label, float width_px) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  remember(label, {from.x, from.y, std::min(to.x, from.x + width_px), to.y});
}

bool Widgets::button(const char* label, float width_px, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label, {width_px, 0});
  ImGui::EndDisabled();
  remember(label, enabled);
  return pressed;
}

bool Widgets::link(const char* label, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  const float width = ImGui::CalcTextSize(label, nullptr, true).x;
  const bool pressed = ImGui::Selectable(label, false, 0, {width, 0});
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::PopStyleColor();
  ImGui::EndDisabled();
  remember(label, enabled);
  return pressed;
}

bool Widgets::checkbox(const char* label, bool* value, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool changed = ImGui::Checkbox(label, value);
  ImGui::EndDisabled();
  remember(label, enabled);
  return changed;
}

bool Widgets::tick(const char* name, bool* value, bool is_inherited) {
  ImGui::PushID(name);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
  if (is_inherited)
    ImGui::PushStyleColor(ImGuiCol_CheckMark, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const bool changed = ImGui::Checkbox("##tick", value);
  if (is_inherited) ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopID();
  remember(name);
  return changed;
}

bool Widgets::slider(const char* label, int* value, int least, int most, const char* format,
                     bool is_logarithmic, bool takes_text) {
  const float width = ImGui::CalcItemWidth();
  const bool changed =
      ImGui::SliderInt(label, value, least, most, format, slider_flags(is_logarithmic, takes_text));
  remember_frame(recorded(label), width);
  return changed;
}

bool Widgets::slider(const char* label, float* value, float least, float most, const char* format,
                     bool is_logarithmic, bool takes_text) {
  const float width = ImGui::CalcItemWidth();
  const bool changed = ImGui::SliderFloat(label, value, least, most, format,
                                          slider_flags(is_logarithmic, takes_text));
  remember_frame(recorded(label), width);
  return changed;
}

bool Widgets::is_typed(const char* label, const std::string& text) {
  const ImGuiID id = ImGui::GetID(label);
  is_typed_last_ = typed_ == id;
  if (is_typed_last_) return true;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to = {from.x + ImGui::CalcItemWidth(), from.y + ImGui::GetFrameHeight()};
  const bool begins = ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to);
  if (!begins) return false;
  typed_ = id;
  is_typed_last_ = true;
  text_ = begun_as_ = text;
  refusal_.clear();
  wants_focus_ = false;
  return true;
}

bool Widgets::type_value(const char* label, std::string* text) {
  const float width = ImGui::CalcItemWidth();
  if (std::exchange(wants_focus_, false)) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputText(
      label, &text_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  remember_frame(recorded(label), width);
  const bool left = ImGui::IsItemDeactivated();
  const bool taken_back = left && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  const bool is_changed = text_ != begun_as_ || !refusal_.empty();
  const bool is_idle = !left && !entered && !ImGui::IsItemActive() && refusal_.empty();
  if (taken_back || is_idle || ((entered || left) && !is_changed)) {
    typed_ = 0;
    refusal_.clear();
    return false;
  }
  if (!entered && !left) return false;
  wants_focus_ = entered;
  refusal_.clear();
  ended_ = std::exchange(typed_, 0);
  *text = text_;
  return true;
}

void Widgets::refuse(std::string why) {
  typed_ = ended_;
  refusal_ = std::move(why);
}

bool Widgets::input(const char* label, const char* hint, std::string* text, bool on_enter) {
  const bool changed = ImGui::InputTextWithHint(
      label, fitted_hint(hint).c_str(), text, on_enter ? ImGuiInputTextFlags_EnterReturnsTrue : 0);
  remember(recorded(label));
  return changed;
}

bool Widgets::field(const char* label, const char* hint, std::string* text) {
  const float width = ImGui::CalcItemWidth();
  const bool entered = ImGui::InputTextWithHint(label, fitted_hint(hint).c_str(), text,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  remember_frame(recorded(label), width);
  return entered || left;
}

bool Widgets::section(const char* label) {
  // As calm as the other headings; the theme's colour is that of a chosen row.
  ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_Button));
  const bool is_open = ImGui::CollapsingHeader(label);
  ImGui::PopStyleColor();
  remember(label);
  return is_open;
}

bool Widgets::choose(std::string_view name, int* chosen, std::span<const char* const> choices) {
  bool changed = false;
  close_on_escape();
  const Group inside(*this, name);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (!selectable(choices[i], static_cast<int>(i) == *chosen)) continue;
    changed = static_cast<int>(i) != *chosen;
    *chosen = static_cast<int>(i);
  }
  return changed;
}

bool Widgets::combo(const char* label, int* chosen, std::span<const char* const> choices) {
  const char* now = *chosen >= 0 && static_cast<std::size_t>(*chosen) < choices.size()
                        ? choices[static_cast<std::size_t>(*chosen)]
                        : "";
  const float width = ImGui::CalcItemWidth();
  // Beside the arrow; what is cut says so.
  const float room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string fitted = fitted_end(now, room);
  const bool open = ImGui::BeginCombo(label, fitted.empty() ? now : fitted.c_str());
  const std::string_view name = shown(recorded(label));
  remember_frame(name, width);
  if (!open) return false;
  const bool changed = choose(name, chosen, choices);
  ImGui::EndCombo();
  return changed;
}

bool Widgets::inline_combo(const char* name, const char* shown, bool is_dim, int* chosen,
                           std::span<const char* const> choices) {
  ImGui::PushID(name);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x / 2, 0});
  ImGui::PushStyleColor(ImGuiCol_Text,
                        ImGui::GetStyleColorVec4(is_dim ? ImGuiCol_TextDisabled : ImGuiCol_Text));
  const bool open = ImGui::BeginCombo("##inline", shown, ImGuiComboFlags_NoArrowButton);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  // In front of what the open list draws.
  remember(name);
  bool changed = false;
  if (open) {
    changed = choose(name, chosen, choices);
    ImGui::EndCombo();
  }
  ImGui::PopID();
  return changed;
}

bool Widgets::selectable(const char* label, bool is_selected, bool spans_columns) {
  const bool pressed = ImGui::Selectable(
      label, is_selected,
      spans_columns ? ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap
                    : ImGuiSelectableFlags_None);
  remember(label);
  return pressed;
}

bool Widgets::menu_item(const char* label, const char* keys, bool is_checked, bool enabled) {
  const bool pressed = ImGui::MenuItem(label, keys, is_checked, enabled);
  remember(label, enabled);
  return pressed;
}

bool Widgets::splitter(const char* name, bool is_vertical, render::Rect rect, float* value_px,
                       float direction, float least, float most) {
  ImGui::SetCursorScreenPos({rect.x0, rect.y0});
  ImGui::InvisibleButton(name, {rect.width(), rect.height()});
  remember(name);
  const bool dragged = ImGui::IsItemActive();
  if (dragged || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(is_vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled({rect.x0, rect.y0}, {rect.x1, rect.y1},
                                              ImGui::GetColorU32(ImGuiCol_SeparatorHovered));
  }
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const float step = direction * (is_vertical ? moved.x : moved.y);
  if (!dragged || step == 0) return false;
  *value_px = std::clamp(*value_px + step, least, std::max(least, most));
  return true;
}

}  // namespace tideline::ui
