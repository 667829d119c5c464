#include <fmt/format.h>
#include <imgui.h>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/rewrite/parameter_names.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

void draw_graph(Ui& ui, const LogContents::LoggedGraph& graph) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string label = fmt::format("{} {}", printable(graph.run), printable(graph.tag));
  if (ui.widgets.link(label.c_str())) ui.ask("log.open-graph", graph.run, graph.tag);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(graph.kind.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(format_bytes(graph.bytes).c_str());
}

void draw_graphs(Ui& ui, const LogContents& log) {
  if (log.graphs.empty()) return dim_text(ui, "There is no graph in this log.");
  dim_text(ui, "Graphs by run and tag; click to open:");
  if (!ImGui::BeginTable("graphs", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit))
    return;
  for (std::size_t i = 0; i < log.graphs.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    draw_graph(ui, log.graphs[i]);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void draw_traces(Ui& ui, const LogContents& log) {
  if (log.traces.empty()) return;
  dim_text(ui, "Traced steps by run and tag; click to open one with the graph of its run:");
  if (!ImGui::BeginTable("traces", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit))
    return;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(log.traces.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const LogContents::LoggedStep& step = log.traces[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      const std::string label = fmt::format("{} {}", printable(step.run), printable(step.tag));
      if (ui.widgets.link(label.c_str())) ui.ask("log.open-trace", step.run, step.tag);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fmt::format("step {}", step.step).c_str());
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
}

void draw_damage(const Ui& ui, const LogContents& log) {
  for (const Diagnostic& entry : log.diagnostics.entries()) {
    if (entry.severity == Severity::kInfo) continue;
    colored_text(ui.palette().error,
                 fmt::format("{} x {}: {}", entry.count, entry.kind,
                             printable(with_parameter_names(entry.example, Naming::kField), 500)));
  }
}

}  // namespace

void draw_log_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("log");
  const LogContents& log = *ui.model.log;
  ImGui::PushFont(ui.fonts.large);
  ImGui::TextUnformatted("Log");
  ImGui::PopFont();
  dim_text(ui, printable(log.path, 1000));
  draw_damage(ui, log);
  ImGui::Spacing();
  draw_graphs(ui, log);
  ImGui::Spacing();
  draw_traces(ui, log);
}

}  // namespace tideline::ui
