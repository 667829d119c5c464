#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/parse.h"
#include "render/ui/chart_input.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"
#include "render/view/fit_chart.h"

namespace tideline::ui {
namespace {

constexpr float kLeastCurvePx = 320;
constexpr float kNarrowRows = 38;  // of text, below which parts stand below each other
constexpr std::string_view kUnits = "B KiB MiB GiB TiB ms us s %";

bool is_narrow() {
  return ImGui::GetContentRegionAvail().x < kNarrowRows * ImGui::GetFontSize();
}

// As colored_text, but numbers stay whole and with their units: ImGui also breaks lines at dots.
void whole_numbers(render::Color color, std::string_view text) {
  const float room = ImGui::GetContentRegionAvail().x;
  std::string shown, line;
  while (!text.empty()) {
    std::string word(take_until(text, ' '));
    while (!text.empty()) {
      std::string_view rest = text;
      std::string_view unit = take_until(rest, ' ');
      while (!unit.empty() && std::string_view(",;:)").find(unit.back()) != unit.npos) {
        unit.remove_suffix(1);
      }
      if (!has_word(kUnits, unit)) break;
      word += " " + std::string(take_until(text, ' '));
    }
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && ImGui::CalcTextSize(longer.c_str()).x > room) {
      shown += line + "\n";
      line = std::move(word);
    } else {
      line = longer;
    }
  }
  shown += line;
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
  ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
  ImGui::PopStyleColor();
}

void draw_state(Ui& ui, const FitState& fit) {
  if (fit.is_running) {
    dim_text(ui, fit.card == nullptr
                     ? "Finding what fits: batch sizes and ways are simulated."
                     : "An answer to the current graph, batch size and device is being found.");
    if (ui.widgets.button("Cancel")) ui.ask("job.cancel");
    return;
  }
  if (fit.is_stale) {
    colored_text(ui.palette().warning,
                 "This is of an earlier graph, batch size, budget or device.");
  }
  if (!fit.problem.empty()) colored_text(ui.palette().warning, fit.problem);
  if ((fit.is_stale || !fit.problem.empty()) && ui.widgets.button("Find out")) ui.ask("graph.fit");
}

void draw_verdict(Ui& ui, const FitCard& card) {
  const render::Palette& colors = ui.palette();
  ImGui::PushFont(ui.fonts.large);
  whole_numbers(card.fits       ? colors.good
                : card.any_fits ? colors.warning
                                : colors.error,
                card.verdict);
  ui.widgets.remember("verdict");
  ImGui::PopFont();
  whole_numbers(colors.text, card.largest);
  ui.widgets.remember("largest");
  if (!card.range.empty()) whole_numbers(colors.dim_text, card.range);
  for (const std::string& warning : card.warnings) whole_numbers(colors.warning, warning);
}

void draw_parts(Ui& ui, const char* name, const std::vector<FitPart>& parts, bool has_details) {
  if (!ImGui::BeginTable(name, has_details ? 3 : 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, 2);
  ImGui::TableSetupColumn("peak", ImGuiTableColumnFlags_WidthFixed,
                          ImGui::CalcTextSize("1023.99 MiB").x);
  if (has_details) ImGui::TableSetupColumn("of these", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableHeadersRow();
  for (const FitPart& part : parts) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(fitted(part.name, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_bytes(part.bytes).c_str());
    if (!has_details) continue;
    ImGui::TableNextColumn();
    if (!part.detail.empty()) whole_numbers(ui.palette().dim_text, part.detail);
  }
  ImGui::EndTable();
}

// Kinds and layers, beside each other where there is room.
void draw_peak(Ui& ui, const FitCard& card) {
  if (is_narrow()) {
    draw_parts(ui, "kind", card.kinds, false);
    ImGui::Spacing();
    return draw_parts(ui, "layer", card.layers, true);
  }
  if (!ImGui::BeginTable("parts", 2)) return;
  ImGui::TableSetupColumn("kinds", ImGuiTableColumnFlags_WidthStretch, 2);
  ImGui::TableSetupColumn("layers", ImGuiTableColumnFlags_WidthStretch, 5);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_parts(ui, "kind", card.kinds, false);
  ImGui::TableNextColumn();
  draw_parts(ui, "layer", card.layers, true);
  ImGui::EndTable();
}

void draw_copy(Ui& ui, const FitRow& way, std::size_t number) {
  if (way.command.empty()) return;
  if (ui.widgets.button("Copy command")) ui.ask("graph.copy-way", std::to_string(number));
  ui.widgets.hint(way.command);
}

void draw_row(Ui& ui, const FitRow& way, std::size_t number) {
  const render::Palette& colors = ui.palette();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  whole_numbers(way.fits ? colors.text : colors.dim_text, way.title);
  if (!way.notes.empty()) ui.widgets.hint(way.notes);
  ImGui::TableNextColumn();
  whole_numbers(colors.text, way.batch);
  ImGui::TableNextColumn();
  whole_numbers(way.fits ? colors.good : colors.error, way.peak);
  ImGui::TableNextColumn();
  whole_numbers(colors.text, way.example);
  ImGui::TableNextColumn();
  whole_numbers(colors.text, way.cost);
  ImGui::TableNextColumn();
  draw_copy(ui, way, number);
}

// The same where there is no room for columns.
void draw_block(Ui& ui, const FitRow& way, std::size_t number) {
  const render::Palette& colors = ui.palette();
  ImGui::Spacing();
  whole_numbers(way.fits ? colors.good : colors.error, way.title);
  if (!way.notes.empty()) ui.widgets.hint(way.notes);
  whole_numbers(colors.text, fmt::format("batch size {}, device peak {}, {} an example", way.batch,
                                         way.peak, way.example));
  whole_numbers(colors.dim_text, way.cost);
  draw_copy(ui, way, number);
}

void draw_ways(Ui& ui, const FitCard& card) {
  const auto each = [&](void (*draw)(Ui&, const FitRow&, std::size_t)) {
    for (std::size_t i = 0; i < card.ways.size(); ++i) {
      const Widgets::Group group = ui.widgets.group(fmt::format("way {}", i + 1));
      draw(ui, card.ways[i], i + 1);
    }
  };
  if (is_narrow()) {
    each(draw_block);
  } else if (!card.ways.empty() && ImGui::BeginTable("ways", 6, ImGuiTableFlags_RowBg)) {
    const auto fixed = [](const char* name, const char* widest) {
      ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed,
                              ImGui::CalcTextSize(widest).x);
    };
    ImGui::TableSetupColumn("way", ImGuiTableColumnFlags_WidthStretch, 2);
    fixed("batch size", "batch size");
    fixed("device peak", "1023.99 MiB");
    fixed("an example", "an example");
    ImGui::TableSetupColumn("cost", ImGuiTableColumnFlags_WidthStretch, 3);
    fixed("##copy", "Copy command__");
    ImGui::TableHeadersRow();
    each(draw_row);
    ImGui::EndTable();
  }
  for (const FitMissing& way : card.missing) {
    whole_numbers(ui.palette().dim_text, way.title + ": " + way.reason);
  }
}

void draw_curve(Ui& ui, const FitCard& card) {
  const float height = std::max(ImGui::GetContentRegionAvail().y, ui.px(kLeastCurvePx));
  const ChartMouse mouse = take_chart_area(ui, "canvas", height);
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  const render::FitChart chart =
      render::layout_fit(card.curve, mouse.area.width(), mouse.area.height(),
                         ui.view.font_px * ui.view.scale, canvas, card.why_no_curve);
  render::draw_fit(canvas, ui.palette(), chart, {mouse.area.x0, mouse.area.y0});
  if (!mouse.is_hovered) return;
  const auto hit = render::hit_fit(chart, {mouse.at.x - mouse.area.x0, mouse.at.y - mouse.area.y0});
  if (!hit) return;
  ui.view.tooltip = fmt::format("{}", fmt::join(render::hit_lines(chart, *hit), "\n"));
  ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
}

}  // namespace

void draw_fit_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("fit");
  const FitState& fit = ui.model.fit;
  draw_state(ui, fit);
  if (fit.card == nullptr) return;
  draw_verdict(ui, *fit.card);
  ImGui::Spacing();
  draw_peak(ui, *fit.card);
  ImGui::Spacing();
  draw_ways(ui, *fit.card);
  ImGui::Spacing();
  draw_curve(ui, *fit.card);
}

}  // namespace tideline::ui
