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

// A bin that has anything is seen, however small its share is.
void draw_bars(const Ui& ui, const TensorFacts& facts, ImVec2 from, ImVec2 to) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(from, to, to_u32(ui.palette().background));
  const auto most = *std::max_element(facts.histogram.begin(), facts.histogram.end());
  const auto count = static_cast<float>(facts.histogram.size());
  const float width = (to.x - from.x) / count;
  const float gap = width > ui.px(4) ? ui.px(1) : 0;
  for (std::size_t i = 0; i < facts.histogram.size(); ++i) {
    if (facts.histogram[i] == 0) continue;
    const auto share =
        static_cast<float>(static_cast<double>(facts.histogram[i]) / static_cast<double>(most));
    const float height = std::max(ui.px(2), share * (to.y - from.y - ui.px(4)));
    const float x = from.x + width * static_cast<float>(i);
    list->AddRectFilled({x, to.y - height}, {x + width - gap, to.y}, to_u32(ui.palette().accent));
  }
  list->AddLine({from.x, to.y}, to, to_u32(ui.palette().outline));
}

void draw_histogram(Ui& ui, const TensorFacts& facts) {
  if (facts.histogram.empty()) return;
  ImGui::Spacing();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 to = {from.x + width, from.y + ui.px(kHistogramPx)};
  ImGui::Dummy({width, ui.px(kHistogramPx)});
  ui.widgets.remember("histogram");
  draw_bars(ui, facts, from, to);
  if (ImGui::IsItemHovered()) {
    const float share = (ImGui::GetIO().MousePos.x - from.x) / width;
    const auto bins = static_cast<float>(facts.histogram.size());
    const auto bin = static_cast<std::size_t>(std::clamp(share * bins, 0.0F, bins - 1));
    ui.view.tooltip = fmt::format("bin {} of {}: {} elements", bin + 1, facts.histogram.size(),
                                  facts.histogram[bin]);
    ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
  }
  dim_text(ui, facts.least);
  ImGui::SameLine(
      std::max(0.0F, ImGui::GetCursorPosX() + width - ImGui::CalcTextSize(facts.most.c_str()).x));
  dim_text(ui, facts.most);
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
