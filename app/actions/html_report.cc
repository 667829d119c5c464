// Tested by integration/report_test.py.
#include "app/actions/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/actions/copy_as.h"
#include "app/actions/planned_wish.h"
#include "app/actions/ui_model.h"
#include "core/analysis/loop_lists.h"
#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "render/model/result_lines.h"
#include "render/view/clock_curve.h"
#include "render/view/picture.h"

namespace tideline::app {
namespace {

constexpr std::string_view kStyle = R"(
  body { font: 15px/1.45 sans-serif; color: #1c2026; background: #fff; max-width: 1240px; margin: 24px auto; padding: 0 20px }
  h1 { font-size: 22px; margin: 0 } h2 { font-size: 17px; margin: 28px 0 8px }
  .peak { font-size: 26px; margin: 12px 0 2px } .dim { color: #5d6670 } .good { color: #1b7a3a }
  .warning { color: #8a5a00 } .error { color: #b3261e }
  pre { background: #f3f5f8; padding: 10px; white-space: pre-wrap; overflow-wrap: anywhere }
  img { width: 100%; border: 1px solid #d9dee5 }
  table { border-collapse: collapse; font-size: 13px } th { text-align: left }
  td, th { padding: 3px 10px; border-bottom: 1px solid #e3e7ec; vertical-align: top }
  td.number { text-align: right; white-space: nowrap } td.name { overflow-wrap: anywhere }
)";

// Text of the page, without hidden characters.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text, std::string_view::npos)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

// The last part of a path, also of a folder that is written with a slash at its end.
std::string name_of(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

class Page {
 public:
  Page(const Viewer& viewer, const ui::UiModel& model)
      : viewer_(viewer),
        snapshot_(*viewer.graph().snapshot()),
        model_(model),
        scene_(*model.scene) {}

  std::string make() {
    const std::string name = name_of(model_.path);
    html_ = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n",
        escaped(name), kStyle);
    line("dim", model_.format);
    for (std::size_t device = 0; device < scene_.devices.size(); ++device) add_card(device);
    for (const std::string& part :
         loop_lists_text(snapshot_.shown->file->source->facts, snapshot_.shown->tensors)) {
      line("dim", part);
    }
    add_warnings();
    add_command(name);
    add_pictures(name);
    for (const render::DeviceCurves& device : scene_.devices) add_live(device);
    add_runs();
    add_swaps();
    return html_ + "</body>\n</html>\n";
  }

 private:
  void line(std::string_view tone, std::string_view text) {
    if (text.empty()) return;
    html_ += fmt::format("<div class=\"{}\">{}</div>\n", tone, escaped(text));
  }
  void heading(std::string_view text) { html_ += fmt::format("<h2>{}</h2>\n", escaped(text)); }
  void begin_table(std::initializer_list<std::string_view> columns) {
    html_ += "<table>\n<tr>";
    for (const std::string_view column : columns) html_ += fmt::format("<th>{}</th>", column);
    html_ += "</tr>\n";
  }
  void name_cell(std::string_view text) {
    html_ += fmt::format("<td class=\"name\">{}</td>", escaped(text));
  }
  void number_cell(std::string_view text) {
    html_ += fmt::format("<td class=\"number\">{}</td>", escaped(text));
  }

  [[nodiscard]] bool has_several() const { return scene_.devices.size() > 1; }

  void add_card(std::size_t device) {
    if (has_several()) heading(scene_.devices[device].device);
    const ui::ResultCard card = ui::result_card(model_, device);
    html_ += fmt::format("<div class=\"peak\">{}</div>\n", escaped(card.title));
    line("dim", card.hint);
    // What else the card says in its first line, these say, too.
    for (const ui::ResultLine& entry : card.lines) {
      for (const std::string& part : split_list(entry.text, '\n')) {
        line(ui::tone_name(entry.tone), part);
      }
    }
  }
  void add_warnings() {
    if (model_.warnings.empty()) return;
    heading("Warnings");
    for (const Warning& warning : model_.warnings) {
      line("warning", warning.text);
      line("dim", warning.remedy);
    }
  }
  void add_command(const std::string& name) {
    if (snapshot_.policy.is_off()) return;
    heading("The same from the command line");
    events::GraphChoice choice = viewer_.graph().request().graph;
    choice.path = name;  // where the graph lies is nobody else's business
    const auto command =
        command_line(choice, viewer_.graph().trace(), planned_wish(viewer_), output_beside(name));
    html_ += fmt::format("<pre>{}</pre>\n", escaped(command ? *command : command.error().message));
  }

  void add_picture(const std::string& name, std::string_view title, render::Picture picture) {
    heading(title);
    picture.scene = &scene_;
    picture.theme = render::ThemeKind::kLight;
    picture.title = name;
    picture.subtitle = title;
    picture.width_px = 1200;
    picture.height_px = 560;
    html_ += fmt::format("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">\n", escaped(title),
                         base64(render::draw_svg(picture, 1)));
  }
  void add_pictures(const std::string& name) {
    for (const render::View& view : render::views()) {
      if ((view.needs_trace && scene_.measured == nullptr) ||
          (view.needs_search && scene_.tried == nullptr) || view.word == "fit") {
        continue;
      }
      render::Picture picture;
      const ui::DiffState diff = viewer_.graph().changes();
      if (view.word == "diff") {
        if (diff.changes == nullptr || diff.is_stale) continue;
        picture.changes = diff.changes.get();
      }
      picture.view = &view;
      if (view.word != "memory") {
        add_picture(name, view.title, picture);
      } else {
        for (std::uint32_t i = 0; i < scene_.devices.size(); ++i) add_memory(name, picture, i);
      }
    }
  }
  void add_memory(const std::string& name, render::Picture picture, std::uint32_t device) {
    const std::string of_device =
        has_several() ? fmt::format(" of {}", scene_.devices[device].device) : "";
    picture.part.device = device;
    add_picture(name, "Memory" + of_device, picture);
    if (!render::has_clock(scene_, device)) return;
    picture.part.memory_axis = render::MemoryAxis::kTime;
    add_picture(name, "Memory by time" + of_device, picture);
  }

  [[nodiscard]] std::string tensor_name(TensorId tensor) const {
    return snapshot_.plan().edit.tensor_name(*scene_.graph, tensor);
  }
  void add_live(const render::DeviceCurves& device) {
    const MemoryTimeline& timeline = device.after != nullptr ? *device.after : *device.of_graph;
    std::vector<LiveTensor> live = timeline.alive_at_peak;
    if (live.empty()) return;
    std::stable_sort(live.begin(), live.end(),
                     [](const LiveTensor& a, const LiveTensor& b) { return a.bytes > b.bytes; });
    heading(fmt::format("At the peak of {}{}{}", model_.runs.empty() ? "" : "the whole step, ",
                        format_bytes(timeline.device_peak),
                        has_several() ? fmt::format(", on {}", device.device) : ""));
    const std::size_t shown = std::min(live.size(), kMostReportedLive);
    line("dim", shown == live.size()
                    ? fmt::format("{} buffers", live.size())
                    : fmt::format("the largest {} of {} buffers", shown, live.size()));
    begin_table({"tensor", "memory", "kind"});
    for (const LiveTensor& tensor : std::span(live).first(shown)) {
      html_ += "<tr>";
      name_cell(tensor_name(tensor.tensor));
      number_cell(format_bytes(tensor.bytes));
      name_cell(memory_kind_name(tensor.kind));
      html_ += "</tr>\n";
    }
    html_ += "</table>\n";
  }
  void add_runs() {
    if (model_.runs.empty()) return;
    heading("Runs");
    begin_table({"run", "peak", "of it all the time"});
    for (const ui::RunRow& run : model_.runs) {
      html_ += "<tr>";
      name_cell(run.name);
      number_cell(format_bytes(run.peak));
      number_cell(format_bytes(run.resident));
      html_ += "</tr>\n";
    }
    html_ += "</table>\n";
  }
  void add_swaps() {
    if (model_.swaps.empty()) return;
    heading("Swaps");
    const std::size_t shown = std::min(model_.swaps.size(), kMostReportedSwaps);
    if (shown < model_.swaps.size()) {
      line("dim", fmt::format("the first {} of {}", shown, model_.swaps.size()));
    }
    begin_table({"tensor", "size", "out at level", "in", "read at", "slack", "late by", "why"});
    for (const ui::SwapRow& row : std::span(model_.swaps).first(shown)) {
      html_ += "<tr>";
      name_cell(row.name);
      number_cell(format_bytes(row.bytes));
      number_cell(std::to_string(row.producer_level));
      number_cell(std::to_string(row.in_level));
      number_cell(std::to_string(row.consumer_level));
      number_cell(format_time(row.slack_ns));
      number_cell(row.wait_ns > 0 ? format_time(row.wait_ns) : "");
      name_cell(row.why);
      html_ += "</tr>\n";
    }
    html_ += "</table>\n";
  }

  const Viewer& viewer_;
  const Snapshot& snapshot_;
  const ui::UiModel& model_;
  const render::Scene& scene_;
  std::string html_;
};

}  // namespace

std::string html_report(Viewer& viewer) {
  const ui::UiModel& model = make_ui_model(viewer);
  return Page(viewer, model).make();
}

}  // namespace tideline::app
