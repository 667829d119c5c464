#include <fmt/format.h>
#include <imgui.h>

#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"
#include "render/ui/panels.h"
#include "render/view/measured_curve.h"

namespace tideline::ui {
namespace {

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/', path.size() < 2 ? 0 : path.size() - 2);
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// "12 345": digits in groups of three, for legibility.
std::string grouped(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    if (text[at - 1] != '-') text.insert(at, " ");
  }
  return text;
}

void oddities(const Ui& ui) {
  const auto& entries = ui.model.diagnostics->entries();
  std::int64_t worth_seeing = 0;
  for (const Diagnostic& entry : entries) worth_seeing += entry.severity != Severity::kInfo ? 1 : 0;
  if (worth_seeing == 0) return;
  const std::string title =
      fmt::format("{} {}##oddities", worth_seeing, worth_seeing == 1 ? "oddity" : "oddities");
  const bool open = ImGui::TreeNode(title.c_str());
  ui.widgets.remember("oddities");
  if (!open) return;
  for (const Diagnostic& entry : entries) {
    if (entry.severity == Severity::kInfo) continue;
    const bool bad = entry.severity != Severity::kNotice;
    colored_text(bad ? ui.palette().error : ui.palette().dim_text,
                 fmt::format("{} x {}: {}", entry.count, printable(entry.kind),
                             printable(with_parameter_names(entry.example, Naming::kField), 120)));
  }
  ImGui::TreePop();
}

}  // namespace

void draw_source_panel(Ui& ui) {
  heading(ui, "Graph");
  if (!ui.model.scene) {
    empty_state(ui, ui.model.job ? ui.model.job->title + " ..." : "No graph is open.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("source");
  const std::string name = printable(file_name(ui.model.path));
  ImGui::TextUnformatted(name.c_str());
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(ui.model.path, 1000).c_str());
  if (!ui.model.format.empty()) dim_text(ui, ui.model.format);
  if (const Summary* summary = ui.model.summary) {
    dim_text(ui, fmt::format("{} ops, {} levels", grouped(summary->vertices),
                             grouped(summary->levels_complete)));
    dim_text(ui, fmt::format("{} in {} trainable variables",
                             format_bytes(summary->learning_parameter_bytes),
                             grouped(summary->trainable_variables)));
    if (summary->unknown_size_tensors > 0) {
      colored_text(ui.palette().text,
                   fmt::format("{} of {} tensors have an unknown size",
                               grouped(summary->unknown_size_tensors), grouped(summary->tensors)));
      if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Give the batch size below, or a shape: graph.shape NAME=1x28x28x1");
    }
  }
  if (const MeasuredRun* run = ui.model.scene->measured) {
    const std::string place = run->place.empty() ? "" : ", " + run->place;
    dim_text(ui, "traced step: " + render::measured_name(*run) + place);
  }
  if (ui.model.diagnostics != nullptr) oddities(ui);
}

}  // namespace tideline::ui
