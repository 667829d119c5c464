#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/rewrite/lms/scope_rules.h"
#include "core/rewrite/policy.h"
#include "render/model/view_cache.h"
#include "render/ui/context_menu.h"
#include "render/ui/panels.h"
#include "render/ui/scope_rule_combo.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

void toggle_open(ViewState& view, std::uint32_t scope) {
  const auto at = std::lower_bound(view.open_scopes.begin(), view.open_scopes.end(), scope);
  if (at != view.open_scopes.end() && *at == scope) {
    view.open_scopes.erase(at);
  } else {
    view.open_scopes.insert(at, scope);
  }
}

void draw_name(Ui& ui, const Scope& scope, const ScopeRow& row) {
  const bool is_flat = !ui.view.scope_filter.empty();
  const float indent = ui.px(12) * static_cast<float>(std::min(row.depth, 12U));
  if (indent > 0) ImGui::Indent(indent);
  const bool has_children = scope.child_count > 0 && !is_flat;
  const bool open = has_children && std::binary_search(ui.view.open_scopes.begin(),
                                                       ui.view.open_scopes.end(), row.scope);
  const std::string name = printable(is_flat ? scope.path : scope.name, 80);
  // The triangle is drawn, not typed: every face has it then.
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float size = ImGui::GetFontSize();
  const std::string label = fmt::format("    {}##{}", name.empty() ? "(no name)" : name, row.scope);
  const bool pressed = ImGui::Selectable(label.c_str(), false, ImGuiSelectableFlags_None);
  ui.widgets.remember(printable(scope.path));
  if (was_menu_wanted()) open_scope_menu(ui, std::string(scope.path));
  if (pressed && has_children) toggle_open(ui.view, row.scope);
  if (has_children) {
    const float x = at.x + size * 0.35F, y = at.y + size * 0.5F, r = size * 0.26F;
    const unsigned color = to_u32(ui.palette().dim_text);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (open) {
      list->AddTriangleFilled({x - r, y - r * 0.6F}, {x + r, y - r * 0.6F}, {x, y + r * 0.8F},
                              color);
    } else {
      list->AddTriangleFilled({x - r * 0.6F, y - r}, {x + r * 0.8F, y}, {x - r * 0.6F, y + r},
                              color);
    }
  }
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s\n%u ops", printable(scope.path, 1000).c_str(), scope.op_count);
  if (indent > 0) ImGui::Unindent(indent);
}

// The rules in force, which a scrolled tree does not show, and the way back.
void draw_banner(Ui& ui, const ScopeRules& rules) {
  if (rules.empty()) return;
  if (ui.widgets.button("Clear")) ui.ask("scope.clear");
  ui.widgets.hint("Make every scope automatic again");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const bool is_off = ui.model.policy->is_off();
  colored_text(ui.palette().text, rules.text() + (is_off ? " (the mode is off)" : ""));
}

void draw_row(Ui& ui, const ScopeRow& row, const ScopeRules& rules, const ScopeTotals* totals) {
  const Scope& scope = ui.model.scene->scopes->scopes[row.scope];
  ImGui::PushID(static_cast<int>(row.scope));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_name(ui, scope, row);
  ImGui::TableNextColumn();
  if (rules.can_be_set) {
    const std::string path(scope.path);
    const Widgets::Group group = ui.widgets.group(path);
    ImGui::SetNextItemWidth(-1);
    draw_scope_rule(ui, rules, path);
  }
  ImGui::TableNextColumn();
  if (totals != nullptr) {
    const std::string bytes = format_bytes(totals->bytes[row.scope]);
    const float width = ImGui::CalcTextSize(bytes.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                         std::max(0.0F, ImGui::GetContentRegionAvail().x - width));
    ImGui::TextUnformatted(bytes.c_str());
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s of outputs, %s of these are swapped", bytes.c_str(),
                        format_bytes(totals->swapped[row.scope]).c_str());
    if (totals->bytes[row.scope] > 0 && totals->swapped[row.scope] > 0) {
      // How much of it goes to the host, as a line below the number.
      const double share = std::min(1.0, static_cast<double>(totals->swapped[row.scope]) /
                                             static_cast<double>(totals->bytes[row.scope]));
      const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
      ImGui::GetWindowDrawList()->AddRectFilled(
          {to.x - (to.x - from.x) * static_cast<float>(share), to.y - ui.px(1)}, {to.x, to.y},
          to_u32(ui.palette().host));
    }
  }
  ImGui::PopID();
}

// The least height of the list. Where a step of a lesson is about it and the side is too low, the
// list becomes most of the side, and is scrolled into sight once when the step begins.
float least_height(Ui& ui, float reserved_px) {
  const float usual = ui.px(90), enough = ui.px(150);
  const auto& lesson = ui.model.lesson;
  if (!lesson || lesson->is_busy || !lesson->spotlight.starts_with("scopes/")) return usual;
  const float room = ImGui::GetContentRegionAvail().y - reserved_px;
  if (room >= enough) return usual;
  const int turn = static_cast<int>(lesson->turn);
  int* scrolled_in = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("scrolled in turn"));
  if (*scrolled_in != turn)
    ImGui::SetScrollFromPosY(ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y, 0);
  *scrolled_in = turn;
  constexpr float kShareOfSide = 0.6F;
  return std::max(usual, ImGui::GetWindowHeight() * kShareOfSide);
}

}  // namespace

void draw_scopes_panel(Ui& ui, float reserved_px) {
  const float least = least_height(ui, reserved_px);
  heading(
      ui, "Scopes",
      "The parts of the graph by name. Each is automatic (parameters and filters decide), never "
      "swapped, or one of those that alone are swapped");
  if (!ui.model.scene) {
    empty_state(ui, "Parts of the graph, to be swapped or left alone.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("scopes");
  const ScopeRules rules =
      ui.model.policy != nullptr ? scope_rules(*ui.model.policy) : ScopeRules();
  draw_banner(ui, rules);
  draw_limit(ui);
  ImGui::SetNextItemWidth(-1);
  ui.widgets.input("##filter", "filter (words or regular expression)", &ui.view.scope_filter);
  if (!ui.cache.scope_filter().error().empty())
    colored_text(ui.palette().error, ui.cache.scope_filter().error());
  const float height = std::max(ImGui::GetContentRegionAvail().y - reserved_px, least);
  ImGui::PushFont(ui.fonts.small);
  if (ImGui::BeginTable("tree", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg, {0, height})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("scope", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("swap", ImGuiTableColumnFlags_WidthFixed, scope_rule_width());
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("888.88 MiB").x);
    constexpr std::array<std::string_view, 3> kHelp = {
        "Prefixes of op names. A click opens a scope",
        "auto: parameters and filters decide. never: outputs of its ops are not swapped. only: "
        "these and no others are swapped. Dim: because of another scope's rule",
        "All outputs of its ops; the line below is the part that is swapped"};
    table_headings(ui, kHelp);
    const auto& rows = ui.cache.scope_rows();
    const ScopeTotals* totals = ui.cache.scope_totals(ui.model, ui.view);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        draw_row(ui, rows[static_cast<std::size_t>(i)], rules, totals);
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace tideline::ui
