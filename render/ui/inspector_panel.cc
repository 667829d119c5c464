#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "render/ui/context_menu.h"
#include "render/ui/panels.h"
#include "render/ui/scope_rule_combo.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

/// More are counted, not listed: an op may have a hundred thousand readers.
constexpr std::size_t kMostLinks = 100;

void draw_overrides(Ui& ui, const TensorCard& tensor) {
  const auto button = [&](const char* label, Override is, const char* action) {
    const bool is_it = tensor.user == is && (is != Override::kNone || tensor.own_ahead == 0);
    if (ui.widgets.button(label, 0, !is_it)) ui.ask(action, tensor.name);
    ImGui::SameLine();
  };
  button("Keep on device", Override::kKeep, "tensor.keep");
  button("Swap", Override::kSwap, "tensor.swap");
  button("Automatic", Override::kNone, "tensor.auto");
  ImGui::NewLine();
}

void draw_output(Ui& ui, const TensorCard& tensor) {
  const Widgets::Group group = ui.widgets.group(tensor.name);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(fmt::format("output {}  {}  {}  {}{}", tensor.tensor.slot, tensor.shape,
                                     tensor.type, tensor.unknown_size ? "at least " : "",
                                     format_bytes(tensor.bytes))
                             .c_str());
  ImGui::PopTextWrapPos();
  if (tensor.unknown_size)
    colored_text(ui.palette().budget, "Its size is not known: give a batch size or a shape.");
  bool has_swap = false;
  for (const SwapRow& row : ui.model.swaps) {
    if (row.tensor != tensor.tensor) continue;
    if (!has_swap)
      colored_text(ui.palette().swap_out,
                   fmt::format("\u25B2 swapped out at level {}", row.out_level));
    has_swap = true;
    colored_text(ui.palette().swap_in, fmt::format("\u25BC swapped in at level {} for level {}",
                                                   row.in_level, row.consumer_level));
    if (row.wait_ns > 0)
      colored_text(ui.palette().error, fmt::format("{} late", format_time(row.wait_ns)));
  }
  if (!tensor.why.empty()) {
    colored_text(ui.palette().text, "Why: " + printable(tensor.why, 1000));
    explain(ui, tensor.why);
  }
  colored_text(ui.palette().text, "Memory by level: " + tensor.memory);
  explain(ui, "level");
  if (ui.model.policy != nullptr) draw_overrides(ui, tensor);
}

void draw_links(Ui& ui, const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  const std::string label = fmt::format("{} ({})##{}", title, names.size(), title);
  const bool open = ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
  ui.widgets.remember(title);
  if (!open) return;
  for (std::size_t i = 0; i < std::min(names.size(), kMostLinks); ++i) {
    const Widgets::Group group = ui.widgets.group(title);
    const std::string text =
        fitted(names[i], ImGui::GetContentRegionAvail().x) + fmt::format("##{}", i);
    if (ui.widgets.link(text.c_str())) ui.ask("select.op", names[i]);
    if (was_menu_wanted()) open_menu(ui, names[i]);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(names[i], 1000).c_str());
  }
  if (names.size() > kMostLinks)
    dim_text(ui, fmt::format("and {} more", names.size() - kMostLinks));
  ImGui::TreePop();
}

void draw_attributes(Ui& ui, const OpCard& card) {
  if (card.attributes.empty()) return;
  const std::string label = fmt::format("attributes ({})##attributes", card.attributes.size());
  const bool open = ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
  ui.widgets.remember("attributes");
  if (!open) return;
  for (const auto& [key, value] : card.attributes) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(to_vec4(ui.palette().dim_text), "%s", printable(key).c_str());
    ImGui::SameLine();
    ImGui::TextUnformatted(printable(value, 2000).c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::TreePop();
}

void draw_scope(Ui& ui, const std::string& path) {
  if (path.empty() || ui.model.policy == nullptr) return;
  const ScopeRules rules = scope_rules(*ui.model.policy);
  if (!rules.can_be_set) return;
  ImGui::SetNextItemWidth(scope_rule_width());
  draw_scope_rule(ui, rules, path);
  ImGui::SameLine();
  dim_text(ui, "scope " + printable(path, 400));
}

void draw_source_line(Ui& ui, const SourceLine& line) {
  if (line.file.empty()) return;
  dim_text(ui, "made at " + line_in_function(line));
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", whole_text(line).c_str());
}

}  // namespace

void draw_inspector_panel(Ui& ui) {
  heading(ui, "Inspector");
  if (!ui.model.selected) {
    empty_state(ui, ui.model.scene ? "Click an op, a bar or a swap to see why it is where it is."
                                   : "Details of the selected op will be shown here.");
    return;
  }
  const OpCard& card = *ui.model.selected;
  const Widgets::Group group = ui.widgets.group("inspector");
  ImGui::PushFont(ui.fonts.small);
  ImGui::BeginChild("card", {0, 0}, false);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(printable(card.name, 1000).c_str());
  ImGui::PopTextWrapPos();
  dim_text(ui, fmt::format("{}  {}  {}, level {}", printable(card.type),
                           card.device.empty() ? "no device" : printable(card.device), card.phase,
                           card.level));
  draw_scope(ui, card.scope);
  draw_source_line(ui, card.line);
  ImGui::Separator();
  for (std::size_t i = 0; i < std::min(card.outputs.size(), kMostLinks); ++i)
    draw_output(ui, card.outputs[i]);
  if (card.outputs.empty()) dim_text(ui, "no outputs");
  if (card.outputs.size() > kMostLinks)
    dim_text(ui, fmt::format("and {} more outputs", card.outputs.size() - kMostLinks));
  ImGui::Separator();
  draw_links(ui, "inputs", card.inputs);
  draw_links(ui, "waits for", card.controls);
  draw_links(ui, "read by", card.consumers);
  draw_attributes(ui, card);
  ImGui::EndChild();
  ImGui::PopFont();
}

}  // namespace tideline::ui
