// The centre while a checkpoint is shown: its tensors as a tree, how another one differs, and the
// backends that are loaded.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/base/units.h"
#include "render/model/checkpoint_contents.h"
#include "render/model/view_cache.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr const char* kBesideTriangle = "    ";

void toggle(std::vector<std::uint32_t>& closed, std::uint32_t node) {
  const auto at = std::lower_bound(closed.begin(), closed.end(), node);
  if (at != closed.end() && *at == node) {
    closed.erase(at);
  } else {
    closed.insert(at, node);
  }
}

void right(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextUnformatted(text.c_str());
}

// Drawn, not typed: every face has it then.
void draw_triangle(const Ui& ui, ImVec2 at, bool is_open) {
  const float size = ImGui::GetFontSize();
  const float x = at.x + size * 0.35F, y = at.y + size * 0.5F, r = size * 0.26F;
  const unsigned color = to_u32(ui.palette().dim_text);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (is_open) {
    list->AddTriangleFilled({x - r, y - r * 0.6F}, {x + r, y - r * 0.6F}, {x, y + r * 0.8F}, color);
  } else {
    list->AddTriangleFilled({x - r * 0.6F, y - r}, {x + r * 0.8F, y}, {x - r * 0.6F, y + r}, color);
  }
}

// Without the tree around it, a tensor has its whole name.
bool is_list(const CheckpointView& view) {
  return view.sort_column != 0 || view.sort_descending;
}

// A click on a tensor selects it, one on its triangle, or on a part of names, opens or closes it.
void draw_name(Ui& ui, std::uint32_t index) {
  const CheckpointListing& listing = *ui.model.checkpoint->listing;
  const TensorTree::Node& node = listing.tree.nodes()[index];
  const bool is_tensor = node.tensor != TensorTree::kNone;
  const bool is_alone = is_list(ui.view.checkpoint);
  const bool has_parts = node.end > index + 1 && !is_alone;
  const std::string name =
      is_tensor ? listing.tensors[static_cast<std::size_t>(node.tensor)].name : node.label;
  const float indent = is_alone ? 0 : ui.px(12) * static_cast<float>(std::min(node.depth, 12));
  if (indent > 0) ImGui::Indent(indent);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_selected = is_tensor && name == ui.model.checkpoint->selected;
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(kBesideTriangle).x;
  const std::string shown = fitted(is_alone ? name : node.label, room);
  const std::string label =
      fmt::format("{}{}##{}", kBesideTriangle, shown.empty() ? "(no name)" : shown, index);
  const bool pressed =
      ImGui::Selectable(label.c_str(), is_selected, ImGuiSelectableFlags_SpanAllColumns);
  ui.widgets.remember(printable(name, 400));
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip(
        "%s\n%s", printable(name, 1000).c_str(),
        has_parts
            ? fmt::format("{} tensors, {}", node.tensor_count, format_bytes(node.bytes)).c_str()
            : format_bytes(node.bytes).c_str());
  }
  std::vector<std::uint32_t>& closed = ui.view.checkpoint.closed;
  const bool is_on_triangle = ImGui::GetIO().MousePos.x < at.x + ImGui::GetFontSize();
  if (pressed && has_parts && (!is_tensor || is_on_triangle)) {
    toggle(closed, index);
  } else if (pressed && is_tensor) {
    ui.ask("checkpoint.select", name);
  }
  if (has_parts) {
    draw_triangle(ui, at, !std::binary_search(closed.begin(), closed.end(), index));
  }
  if (indent > 0) ImGui::Unindent(indent);
}

void draw_row(Ui& ui, std::uint32_t index) {
  const CheckpointListing& listing = *ui.model.checkpoint->listing;
  const TensorTree::Node& node = listing.tree.nodes()[index];
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_name(ui, index);
  if (node.tensor == TensorTree::kNone) {
    ImGui::TableSetColumnIndex(3);
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(ui.palette().dim_text));
    right(format_bytes(node.bytes));
    ImGui::PopStyleColor();
    return;
  }
  const StoredRow& tensor = listing.tensors[static_cast<std::size_t>(node.tensor)];
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(tensor.type.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(tensor.shape.c_str());
  ImGui::TableNextColumn();
  right(format_bytes(tensor.bytes));
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(ui.palette().dim_text));
  right(tensor.checksum);
  ImGui::PopStyleColor();
}

void read_sorting(CheckpointView& view) {
  ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (specs == nullptr || !specs->SpecsDirty || specs->SpecsCount == 0) return;
  specs->SpecsDirty = false;
  view.sort_column = specs->Specs[0].ColumnIndex;
  view.sort_descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
}

// Names come first: columns that would leave less than a dozen letters of them are left out.
void set_up_tensor_columns() {
  const auto own = [](const char* name, const char* widest) {
    return std::max(ImGui::CalcTextSize(widest).x,
                    ImGui::CalcTextSize(name).x + ImGui::GetFontSize());
  };
  const float padding = 2 * ImGui::GetStyle().CellPadding.x + 1;
  const float type = own("type", "float8_e4m3fn");
  const float shape = own("shape", "[888,888,888]");
  const float size = own("size", "888.88 MiB");
  const float crc32c = own("crc32c", "dddddddd");
  float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize -
               ImGui::CalcTextSize("    a dozen letters").x - size - 2 * padding;
  const auto has = [&](float width_px) { return (room -= width_px + padding) >= 0; };
  const bool has_shape = has(shape), has_type = has(type), has_crc32c = has(crc32c);
  const auto fixed = [](const char* name, float width_px, bool is_shown) {
    ImGui::TableSetupColumn(
        name, ImGuiTableColumnFlags_WidthFixed | (is_shown ? 0 : ImGuiTableColumnFlags_Disabled),
        width_px);
  };
  ImGui::TableSetupColumn("name",
                          ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_DefaultSort);
  fixed("type", type, has_type);
  fixed("shape", shape, has_shape);
  fixed("size", size, true);
  fixed("crc32c", crc32c, has_crc32c);
}

void draw_tensors(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("tensors");
  ImGui::SetNextItemWidth(-1);
  ui.widgets.input("##filter", "filter (words or regular expression)", &ui.view.checkpoint.filter);
  if (!ui.cache.tensor_filter().error().empty())
    colored_text(ui.palette().error, ui.cache.tensor_filter().error());
  if (ui.model.checkpoint->listing->tensors.empty())
    return dim_text(ui, "There is no tensor in this checkpoint.");
  ImGui::PushFont(ui.fonts.small);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_Sortable;
  if (ImGui::BeginTable("tensors", 5, kFlags, ImGui::GetContentRegionAvail())) {
    ImGui::TableSetupScrollFreeze(0, 1);
    set_up_tensor_columns();
    constexpr std::array<std::string_view, 5> kHelp = {
        "Names of tensors, by their parts; sorted otherwise they are a list. A click on a tensor "
        "shows "
        "its values",
        "The type of an element", "The size of each dimension", "Bytes in the files",
        "The checksum that the checkpoint has of the tensor"};
    table_headings(ui, kHelp);
    read_sorting(ui.view.checkpoint);
    const auto& rows = ui.cache.tensor_rows();
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

// Two lines for each, because a name and what differs seldom fit side by side.
void draw_differences(Ui& ui, const CheckpointComparison& comparison) {
  if (comparison.different.empty()) return;
  if (!ImGui::BeginTable("differences", 1, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY,
                         ImGui::GetContentRegionAvail()))
    return;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(comparison.different.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const CheckpointComparison::Row& row = comparison.different[static_cast<std::size_t>(i)];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      const std::string name = fitted(row.name, ImGui::GetContentRegionAvail().x);
      if (ui.widgets.link((name + fmt::format("##{}", i)).c_str()))
        ui.ask("checkpoint.select", row.name);
      ImGui::Indent(ui.px(12));
      ImGui::TextUnformatted(fitted_end(row.what, ImGui::GetContentRegionAvail().x).c_str());
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", row.what.c_str());
      ImGui::Unindent(ui.px(12));
    }
  }
  ImGui::EndTable();
}

void draw_comparison(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("comparison");
  if (ui.widgets.button("Compare with...")) ui.ask("checkpoint.compare-dialog");
  ImGui::Spacing();
  const auto& comparison = ui.model.checkpoint->comparison;
  if (!comparison)
    return dim_text(ui, "Another checkpoint, of any format, is compared tensor by tensor.");
  dim_text(ui, printable(comparison->path, 1000));
  const std::string counts = fmt::format("{} tensors are equal, {} differ", comparison->equal,
                                         comparison->different.size());
  colored_text(comparison->different.empty() ? ui.palette().good : ui.palette().text, counts);
  ImGui::Spacing();
  ImGui::PushFont(ui.fonts.small);
  draw_differences(ui, *comparison);
  ImGui::PopFont();
}

void draw_backends(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("backends");
  if (ui.widgets.button("Load plugins")) ui.ask("checkpoint.backends");
  ui.widgets.hint("Code of the installation, or of the folder $TIDELINE_PLUGINS");
  ImGui::Spacing();
  const auto& backends = ui.model.checkpoint->backends;
  if (!backends) return dim_text(ui, "No plugin is loaded.");
  if (backends->empty()) return dim_text(ui, "There is no plugin with a backend.");
  for (const BackendRow& backend : *backends) {
    heading(ui, printable(backend.name).c_str());
    colored_text(ui.palette().text, printable(backend.about, 1000));
    colored_text(ui.palette().accent, fmt::format("{}", fmt::join(backend.abilities, ", ")));
    dim_text(ui, printable(backend.library, 1000));
    ImGui::Spacing();
  }
}

}  // namespace

void draw_checkpoint_panel(Ui& ui) {
  switch (ui.view.checkpoint.page) {
    case CheckpointPage::kTensors: return draw_tensors(ui);
    case CheckpointPage::kComparison: return draw_comparison(ui);
    case CheckpointPage::kBackends: return draw_backends(ui);
  }
}

}  // namespace tideline::ui
