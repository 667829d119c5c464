#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/rewrite/policy.h"
#include "render/model/view_cache.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

/// What the policy says about a scope.
struct Ticks {
  bool included = false, excluded = false;
  bool include_is_own = false, exclude_is_own = false;  ///< said of this very scope
};

bool holds(const std::vector<std::string>& list, std::string_view path) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

// Version 2 compares beginnings of names, version 1 whole parts.
bool covers(const std::vector<std::string>& list, std::string_view path, bool whole_parts) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& entry) {
    if (!path.starts_with(entry)) return false;
    return !whole_parts || path.size() == entry.size() || path[entry.size()] == '/';
  });
}

Ticks ticks_of(const Policy& policy, std::string_view path) {
  const Rewriter* rewriter = policy.is_off() ? rewriters().front() : policy.chosen();
  Ticks ticks;
  if (rewriter->include_scopes == nullptr || rewriter->exclude_scopes == nullptr) return ticks;
  const auto incl = policy.values.names(*rewriter->include_scopes);
  const auto excl = policy.values.names(*rewriter->exclude_scopes);
  const bool whole_parts = rewriter->scopes_are_whole;
  ticks.include_is_own = holds(incl, path);
  ticks.exclude_is_own = holds(excl, path);
  ticks.excluded = covers(excl, path, whole_parts);
  ticks.included = incl.empty() ? !ticks.excluded : covers(incl, path, whole_parts);
  return ticks;
}

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

void draw_row(Ui& ui, const ScopeRow& row) {
  const Scope& scope = ui.model.scene->scopes->scopes[row.scope];
  ImGui::PushID(static_cast<int>(row.scope));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_name(ui, scope, row);
  const std::string path(scope.path);
  if (ui.model.policy != nullptr) {
    const Ticks ticks = ticks_of(*ui.model.policy, scope.path);
    const Widgets::Group group = ui.widgets.group(path);
    ImGui::TableNextColumn();
    bool included = ticks.included;
    if (ui.widgets.tick("include", &included, !ticks.include_is_own))
      ui.ask("scope.include", path, ticks.include_is_own ? "off" : "on");
    ImGui::TableNextColumn();
    bool excluded = ticks.excluded;
    if (ui.widgets.tick("exclude", &excluded, ticks.excluded && !ticks.exclude_is_own))
      ui.ask("scope.exclude", path, ticks.exclude_is_own ? "off" : "on");
  } else {
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
  }
  ImGui::TableNextColumn();
  if (const ScopeTotals* totals = ui.model.scope_totals) {
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

}  // namespace

void draw_scopes_panel(Ui& ui, float reserved_px) {
  heading(ui, "Scopes");
  if (!ui.model.scene) {
    empty_state(ui, "Parts of the graph, to be swapped or left alone.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("scopes");
  ImGui::SetNextItemWidth(-1);
  ui.widgets.input("##filter", "filter (words or regular expression)", &ui.view.scope_filter);
  if (!ui.cache.scope_filter().error().empty())
    colored_text(ui.palette().error, ui.cache.scope_filter().error());
  const float height = std::max(ImGui::GetContentRegionAvail().y - reserved_px, ui.px(90));
  ImGui::PushFont(ui.fonts.small);
  if (ImGui::BeginTable("tree", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg, {0, height})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    const float box = ImGui::CalcTextSize("excl").x;
    ImGui::TableSetupColumn("scope", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("incl", ImGuiTableColumnFlags_WidthFixed, box);
    ImGui::TableSetupColumn("excl", ImGuiTableColumnFlags_WidthFixed, box);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed,
                            ImGui::CalcTextSize("888.88 MiB").x);
    ImGui::TableHeadersRow();
    const auto& rows = ui.cache.scope_rows();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        draw_row(ui, rows[static_cast<std::size_t>(i)]);
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace tideline::ui
