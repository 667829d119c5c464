// The selected tensor of a checkpoint: its numbers, and how they are distributed.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "render/model/checkpoint_contents.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr float kHistogramPx = 150;

// Of one of the two histograms, which share an axis; a bin that has anything is seen, however small
// its share is.
struct Bars {
  const std::vector<std::int64_t>& counts;
  std::int64_t most = 1;  ///< of both
  bool is_outline = false;
};
void draw_bars(const Ui& ui, const Bars& bars, ImVec2 from, ImVec2 to) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = (to.x - from.x) / static_cast<float>(bars.counts.size());
  const float gap = width > ui.px(4) ? ui.px(1) : 0;
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    if (bars.counts[i] == 0) continue;
    const auto share =
        static_cast<float>(static_cast<double>(bars.counts[i]) / static_cast<double>(bars.most));
    const float height = std::max(ui.px(2), share * (to.y - from.y - ui.px(4)));
    const float x = from.x + width * static_cast<float>(i);
    const ImVec2 top = {x, to.y - height}, bottom = {x + width - gap, to.y};
    if (bars.is_outline) {
      list->AddRect(top, bottom, to_u32(ui.palette().warning), 0, ImDrawFlags_None, ui.px(1.5F));
    } else {
      list->AddRectFilled(top, bottom, to_u32(ui.palette().accent));
    }
  }
}

std::int64_t most_of(const std::vector<std::int64_t>& counts) {
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

std::string bin_text(const TensorFacts& facts, std::size_t bin, std::size_t bins) {
  const auto count = [&](const std::vector<std::int64_t>& counts) {
    return bin < counts.size() ? counts[bin] : 0;
  };
  std::string text =
      fmt::format("bin {} of {}: {} elements", bin + 1, bins, count(facts.histogram));
  if (facts.other_histogram.empty()) return text;
  return text + fmt::format(", {} in the other checkpoint", count(facts.other_histogram));
}

void draw_histogram(Ui& ui, const TensorFacts& facts) {
  const std::size_t bins = std::max(facts.histogram.size(), facts.other_histogram.size());
  if (bins == 0) return;
  ImGui::Spacing();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 to = {from.x + width, from.y + ui.px(kHistogramPx)};
  ImGui::Dummy({width, ui.px(kHistogramPx)});
  ui.widgets.remember("histogram");
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(from, to, to_u32(ui.palette().background));
  const std::int64_t most = std::max(most_of(facts.histogram), most_of(facts.other_histogram));
  draw_bars(ui, {facts.histogram, most, false}, from, to);
  draw_bars(ui, {facts.other_histogram, most, true}, from, to);
  list->AddLine({from.x, to.y}, to, to_u32(ui.palette().outline));
  if (ImGui::IsItemHovered()) {
    const float share = (ImGui::GetIO().MousePos.x - from.x) / width;
    const auto count = static_cast<float>(bins);
    const auto bin = static_cast<std::size_t>(std::clamp(share * count, 0.0F, count - 1));
    ui.view.tooltip = bin_text(facts, bin, bins);
    ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
  }
  dim_text(ui, facts.least);
  ImGui::SameLine(
      std::max(0.0F, ImGui::GetCursorPosX() + width - ImGui::CalcTextSize(facts.most.c_str()).x));
  dim_text(ui, facts.most);
  if (facts.other_histogram.empty()) return;
  colored_text(ui.palette().warning, "outlines: " + printable(facts.other, 1000));
}

void draw_facts(Ui& ui, const TensorFacts& facts) {
  if (ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const auto& [label, value] : facts.rows) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(to_vec4(ui.palette().dim_text), "%s", label.c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(value.c_str());
    }
    ImGui::EndTable();
  }
  if (!facts.problem.empty()) colored_text(ui.palette().error, printable(facts.problem, 1000));
  draw_histogram(ui, facts);
}

}  // namespace

void draw_tensor_panel(Ui& ui) {
  heading(ui, "Tensor");
  const Widgets::Group group = ui.widgets.group("tensor");
  const CheckpointContents& checkpoint = *ui.model.checkpoint;
  if (checkpoint.selected.empty())
    return empty_state(ui, "Click a tensor to see its numbers and how they are distributed.");
  colored_text(ui.palette().text, printable(checkpoint.selected, 1000));
  ImGui::Spacing();
  if (!checkpoint.facts) return dim_text(ui, "Reading its values ...");
  draw_facts(ui, *checkpoint.facts);
}

}  // namespace tideline::ui
