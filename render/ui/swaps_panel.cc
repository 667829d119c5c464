#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/rewrite/rewriter.h"
#include "render/model/largest_run.h"
#include "render/model/view_cache.h"
#include "render/ui/context_menu.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

// The widest texts of the columns.
constexpr const char* kSize = "888.8 MiB";
constexpr const char* kLevel = "8888";
constexpr const char* kSlack = "-88.8 ms";
constexpr const char* kRule = "88 ahead";

// Numbers stand below each other when they end at the right.
void right(const std::string& text, const render::Color* color) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  if (color != nullptr) {
    ImGui::TextColored(to_vec4(*color), "%s", text.c_str());
  } else {
    ImGui::TextUnformatted(text.c_str());
  }
}

std::string idle_text(const SwapRow& row) {
  if (!row.is_idle) return "";
  return fmt::format("\nDoes not lower the peak: {} then. Keeping it saves both copies.",
                     at_peak_name(row.at_peak));
}

void tooltip(const SwapRow& row) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 32);
  ImGui::TextUnformatted(
      fmt::format("{}\n{}, made at level {}, read again at level {}\n{} each "
                  "way, slack {}{}\n{}{}{}",
                  printable(row.name, 1000), format_bytes(row.bytes), row.producer_level,
                  row.consumer_level, format_time(row.transfer_ns), format_time(row.slack_ns),
                  row.wait_ns > 0 ? fmt::format(", {} late", format_time(row.wait_ns)) : "",
                  row.why, row.line.file.empty() ? "" : "\nmade at " + short_text(row.line),
                  idle_text(row))
          .c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

// What the user decided about the tensor, as a list to choose from; a distance of its own is in it
// as long as the tensor has one.
void draw_rule(Ui& ui, const SwapRow& row) {
  const Widgets::Group group = ui.widgets.group(row.name);
  constexpr std::array kActions = {"tensor.auto", "tensor.keep", "tensor.swap"};
  const std::string own = fmt::format("{} ahead", row.own_ahead);
  const std::array choices = {"auto", "keep", "force", own.c_str()};
  const bool is_own = row.own_ahead > 0 && row.user == Override::kNone;
  const int now = is_own ? 3 : static_cast<int>(row.user);
  int chosen = now;
  const bool is_dim = now == 0;
  if (ui.widgets.inline_combo("rule", choices.at(static_cast<std::size_t>(now)), is_dim, &chosen,
                              std::span(choices.data(), is_own ? 4 : 3)) &&
      chosen < 3) {
    ui.ask(kActions.at(static_cast<std::size_t>(chosen)), row.name);
  }
  ui.widgets.hint(is_own ? "Its swap-in is placed by hand; auto leaves it to the parameters again"
                         : "Leave it to the parameters, keep it on the device, or swap it in any "
                           "case");
}

void draw_row(Ui& ui, const SwapRow& row) {
  const render::Palette& palette = ui.palette();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool selected = ui.view.selected == row.tensor;
  const float room = ImGui::GetContentRegionAvail().x;
  const auto fits = [room](std::string_view text) {
    return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x <= room;
  };
  const std::string label = ui.cache.swap_names().shorten(row.name, fits) + "##" + row.name;
  if (row.is_idle) ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(palette.warning));
  if (ImGui::Selectable(
          label.c_str(), selected,
          ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap))
    ui.ask("select.op", row.name);
  if (row.is_idle) ImGui::PopStyleColor();
  ui.widgets.remember(row.name);
  if (was_menu_wanted()) open_menu(ui, row.name);
  if (ImGui::IsItemHovered()) {
    ui.view.hovered = row.tensor;
    tooltip(row);
  }
  ImGui::TableNextColumn();
  const Bytes largest = ui.cache.largest_swap();
  const render::ByteUnit unit = render::unit_of_bytes(static_cast<double>(largest));
  right(render::bytes_in(unit, largest, row.bytes), row.is_idle ? &palette.warning : nullptr);
  ImGui::TableNextColumn();
  right(fmt::format("{}", row.out_level), &palette.swap_out);
  ImGui::TableNextColumn();
  right(fmt::format("{}", row.in_level), &palette.swap_in);
  ImGui::TableNextColumn();
  right(fmt::format("{}", row.slack_levels()),
        row.own_ahead > 0 ? &palette.accent : &palette.dim_text);
  ImGui::TableNextColumn();
  if (row.wait_ns > 0) {
    right("-" + format_time(row.wait_ns), &palette.error);
  } else {
    right(format_time(row.slack_ns), &palette.dim_text);
  }
  ImGui::TableNextColumn();
  right(format_time(row.transfer_ns), &palette.dim_text);
  ImGui::TableNextColumn();
  if (row.in_file) {
    dim_text(ui, "file");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Ops of the file copy this tensor");
    return;
  }
  draw_rule(ui, row);
}

void read_sorting(ViewState& view) {
  ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (specs == nullptr || !specs->SpecsDirty) return;
  specs->SpecsDirty = false;
  if (specs->SpecsCount == 0) return;
  view.swap_sort_column = specs->Specs[0].ColumnIndex;
  view.swap_sort_descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
}

void draw_table(Ui& ui, float height) {
  // A table of another id sorts by its default column again.
  const bool is_by_lateness = ui.cache.lateness_asked > 0;
  const std::string id = fmt::format("swaps##{}", ui.cache.lateness_asked);
  if (!ImGui::BeginTable(id.c_str(), 8,
                         ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                             ImGuiTableFlags_Sortable | ImGuiTableFlags_BordersInnerV,
                         {0, height})) {
    return;
  }
  const auto width = [](const char* text) { return ImGui::CalcTextSize(text).x; };
  // Room for the name and the arrow of the sorting.
  const auto own = [&](const char* name, const char* widest) {
    return std::max(width(widest), width(name) + ImGui::GetFontSize());
  };
  const auto wide = [&](const char* name, const char* widest, int flags, bool is_shown = true) {
    ImGui::TableSetupColumn(
        name,
        ImGuiTableColumnFlags_WidthFixed | flags | (is_shown ? 0 : ImGuiTableColumnFlags_Disabled),
        own(name, widest));
  };
  // Names come first: columns that would leave less than a dozen letters of them are left out.
  const float padding = 2 * ImGui::GetStyle().CellPadding.x + 1;
  const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize -
                     width("a dozen letters") - width(kRule) - own("size", kSize) - 3 * padding;
  const float slack = own("slack", kSlack) + padding;
  const bool has_slack = room >= slack;
  const float both = 2 * (own("out", kLevel) + padding);
  const float levels = own("levels", kLevel) + padding;
  const bool has_levels = room >= slack + both;
  const bool has_slack_levels = room >= slack + both + levels;
  const bool has_link = room >= slack + both + levels + own("link", kSlack) + padding;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("tensor", ImGuiTableColumnFlags_WidthStretch);
  wide("size", kSize,
       ImGuiTableColumnFlags_PreferSortDescending |
           (is_by_lateness ? 0 : ImGuiTableColumnFlags_DefaultSort));
  wide("out", kLevel, 0, has_levels);
  wide("in", kLevel, 0, has_levels);
  wide("levels", kLevel, 0, has_slack_levels);
  wide("slack", kSlack, is_by_lateness ? ImGuiTableColumnFlags_DefaultSort : 0, has_slack);
  wide("link", kSlack, 0, has_link);
  ImGui::TableSetupColumn("rule", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort,
                          width(kRule));
  constexpr std::array<std::string_view, 8> kHelp = {
      "The output of an op that is copied to the host. A click selects it",
      "Its bytes",
      "The first level at which its copy is on the host",
      "The first level at which it is back on the device",
      "Levels from there to its first reader",
      "Time to spare when the copy back arrives. Red: its reader waits for so long",
      "How long the link takes for one copy",
      "What was decided about this tensor: auto, keep it, force its swap, or how far ahead of its "
      "reader it comes back"};
  table_headings(ui, kHelp);
  read_sorting(ui.view);
  const auto& order = ui.cache.swap_order();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(order.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      // A row that was there a frame ago may be gone.
      const std::uint32_t row = order[static_cast<std::size_t>(i)];
      if (row < ui.model.swaps.size()) {
        ImGui::PushID(i);
        draw_row(ui, ui.model.swaps[row]);
        ImGui::PopID();
      }
    }
  }
  ImGui::EndTable();
}

void draw_footer(const Ui& ui) {
  Bytes bytes = 0;
  std::int64_t late = 0;
  std::set<TensorId> idle;  // a tensor may come back several times
  const auto& order = ui.cache.swap_order();
  for (const std::uint32_t row : order) {
    bytes = saturating_add(bytes, ui.model.swaps[row].bytes);
    late += ui.model.swaps[row].wait_ns > 0 ? 1 : 0;
    if (ui.model.swaps[row].is_idle) idle.insert(ui.model.swaps[row].tensor);
  }
  const std::string shown =
      order.size() == ui.model.swaps.size()
          ? counted(order.size(), "swap-in")
          : fmt::format("{} of {} swap-ins", order.size(), ui.model.swaps.size());
  dim_text(ui, fmt::format(
                   "{}, {} in, {} late{}", shown, format_bytes(bytes), late,
                   idle.empty() ? "" : fmt::format(", {} idle", counted(idle.size(), "tensor"))));
}

// Swaps give way to what the plan is about.
void draw_cycle(Ui& ui) {
  heading(ui, "Cycle", "The runs that replace a step, in their order");
  const Widgets::Group group = ui.widgets.group("cycle");
  ImGui::PushFont(ui.fonts.small);
  if (ImGui::BeginTable("runs", 5, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("run", ImGuiTableColumnFlags_WidthStretch);
    const auto fixed = [](const char* name, const char* widest) {
      ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed,
                              std::max(ImGui::CalcTextSize(widest).x, ImGui::CalcTextSize(name).x));
    };
    fixed("peak", "888.8 MiB");
    fixed("resident", "888.8 MiB");
    fixed("fed", "888");
    fixed("kept", "888");
    constexpr std::array<std::string_view, 5> kHelp = {
        "The forward run, then one for each section, the last first", "The most that it holds",
        "What is there before and after it: variables, slots and constants",
        "Values of earlier runs that it is fed", "Values that it hands to later runs"};
    table_headings(ui, kHelp);
    const RunRow* largest = largest_run(ui.model);
    const Bytes most = largest == nullptr ? 0 : largest->peak;
    const auto bytes = [most, unit = render::unit_of_bytes(static_cast<double>(most))](Bytes of) {
      return render::bytes_in(unit, most, of);
    };
    for (const RunRow& run : ui.model.runs) {
      const render::Color* color = &run == largest ? &ui.palette().accent : nullptr;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (ui.widgets.selectable(printable(run.name, 80).c_str(), false, true)) {
        ui.ask("view.tab", "memory");
        ui.ask("view.axis", "step");
      }
      ui.widgets.hint("Its memory, beside that of the other runs");
      ImGui::TableNextColumn();
      right(run.peak > 0 ? bytes(run.peak) : "", color);
      ImGui::TableNextColumn();
      right(run.peak > 0 ? bytes(run.resident) : "", nullptr);
      ImGui::TableNextColumn();
      right(std::to_string(run.takes), nullptr);
      ImGui::TableNextColumn();
      right(std::to_string(run.keeps), nullptr);
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace

void sort_by_lateness(Ui& ui) {
  ++ui.cache.lateness_asked;
  if (ui.view.is_right_narrow) ui.view.open_side = Side::kRight;
  ui.view.show_right = true;
}

void draw_swaps_panel(Ui& ui) {
  if (!ui.model.runs.empty()) return draw_cycle(ui);
  heading(ui, "Swaps", "Tensors that are copied to the host and back, a row for each copy back");
  if (!ui.model.scene) {
    empty_state(ui, "The tensors that wait on the host will be listed here.");
    return;
  }
  if (ui.model.swaps.empty()) {
    empty_state(
        ui, ui.model.scene->plan == nullptr
                ? fmt::format("No policy: choose {} as the mode on the left.", policy_ids(false))
                : std::string(ui.model.scene->plan->report->why_no_swaps()));
    return;
  }
  const Widgets::Group group = ui.widgets.group("swaps");
  ImGui::SetNextItemWidth(-1);
  ui.widgets.input("##filter", "filter (words or regular expression)", &ui.view.swap_filter);
  draw_limit(ui);
  if (!ui.cache.swap_filter().error().empty())
    colored_text(ui.palette().error, ui.cache.swap_filter().error());
  ImGui::PushFont(ui.fonts.small);
  draw_table(ui, ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeightWithSpacing());
  draw_footer(ui);
  ImGui::PopFont();
}

}  // namespace tideline::ui
