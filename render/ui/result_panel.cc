#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/memory/measured/measured_peaks.h"
#include "core/memory/step_time_text.h"
#include "core/rewrite/policy.h"
#include "render/ui/panels.h"
#include "render/view/measured_curve.h"

namespace tideline::ui {
namespace {

// "9.14 -> 3.86 GiB": both in the unit of the first, when it is no more than a thousand times less.
std::string before_and_after(Bytes before, Bytes after) {
  const std::string from = format_bytes(before), to = format_bytes(after);
  const auto unit = [](const std::string& text) { return text.substr(text.find(' ') + 1); };
  if (unit(from) == unit(to)) return from.substr(0, from.find(' ')) + " \u2192 " + to;
  return from + " \u2192 " + to;
}

void draw_budget_line(const Ui& ui, Bytes peak) {
  const Bytes budget = ui.model.scene->device_budget;
  if (budget <= 0) {
    dim_text(ui, "no device budget given");
  } else if (peak <= budget) {
    colored_text(ui.palette().good, fmt::format("fits {}, {} spare", format_bytes(budget),
                                                format_bytes(budget - peak)));
  } else {
    colored_text(ui.palette().error, fmt::format("exceeds {} by {}", format_bytes(budget),
                                                 format_bytes(peak - budget)));
  }
}

// A line of the card is not wide enough for a peak with its parts.
std::string in_lines(std::string text) {
  for (std::size_t at = 0; (at = text.find(" (", at)) != std::string::npos;) {
    text.replace(at, 1, "\n");
  }
  return text;
}

void draw_measured(Ui& ui, std::size_t device) {
  const std::string summary = render::measured_summary(*ui.model.scene, device);
  if (summary.empty()) return;
  ImGui::PushFont(ui.fonts.small);
  colored_text(ui.palette().measured, in_lines(summary));
  ui.widgets.remember("measured");
  ui.widgets.hint(
      "A trace does not record what is resident: the model's number stands for it. The model there "
      "is the model on the ops that were traced, in their order, when the run had its peak; the "
      "peak above is that of all ops that the step needs, ordered by level");
  ImGui::PopFont();
}

// The peak in the parts in which measured ones are told, too.
void draw_parts(Ui& ui, std::size_t device) {
  const render::Scene& scene = *ui.model.scene;
  const render::DeviceCurves& curves = scene.devices[device];
  const MemoryTimeline& result = curves.after != nullptr ? *curves.after : *curves.before;
  ImGui::PushFont(ui.fonts.small);
  dim_text(ui, parts_text(peak_parts(result)));
  ui.widgets.remember("parts");
  ui.widgets.hint(
      "Resident: variables, optimizer slots and constants, which are there before and after the "
      "step. Of the step: what it allocates");
  ImGui::PopFont();
}

void draw_numbers(const Ui& ui, const render::DeviceCurves& curves) {
  const MemoryTimeline& result = curves.after != nullptr ? *curves.after : *curves.before;
  draw_budget_line(ui, result.device_peak);
  const RewritePlan* plan = ui.model.scene->plan;
  if (plan != nullptr && plan->report) {  // draw_report
    if (curves.after == nullptr) dim_text(ui, "the plain step; its runs are listed below");
    return;
  }
  if (curves.after == nullptr) {
    dim_text(ui, "no swaps: the mode is off");
    return;
  }
  const std::int64_t tensors =
      plan != nullptr ? plan->swap_out_count() : result.swapped_out_tensors;
  colored_text(ui.palette().text,
               fmt::format("{} tensors swapped\n{} moved a step", tensors,
                           format_bytes(saturating_add(result.bytes_out, result.bytes_in))));
  const Bytes host_budget = ui.model.scene->host_budget;
  const bool host_is_full = host_budget > 0 && result.host_peak > host_budget;
  colored_text(host_is_full ? ui.palette().error : ui.palette().text,
               fmt::format("host peak {}{}", format_bytes(result.host_peak),
                           host_is_full ? " (exceeds " + format_bytes(host_budget) + ")" : ""));
}

// Of plans without swaps.
void draw_report(Ui& ui) {
  if (ui.model.report.empty()) return;
  ImGui::PushFont(ui.fonts.small);
  for (const std::string& line : ui.model.report) {
    ImGui::TextWrapped("%s", line.c_str());
  }
  ui.widgets.remember("report");
  ImGui::PopFont();
}

// A plan can do harm: copies that wait for their readers are memory, too.
void draw_raised(Ui& ui, const render::DeviceCurves& curves) {
  if (curves.after == nullptr) return;
  const std::string raised =
      raised_peak_text(curves.before->device_peak, curves.after->device_peak);
  if (raised.empty()) return;
  colored_text(ui.palette().warning, raised);
  ui.widgets.remember("raised");
}

void draw_step(Ui& ui, const TimeReport* timing, bool has_plan) {
  if (timing != nullptr) {
    colored_text(ui.palette().text, step_text(*timing, has_plan, "\u2192"));
    ui.widgets.remember("step");
  }
}

// What the time of a step rests on.
void draw_time(Ui& ui, const TimeReport* timing, bool has_plan) {
  if (timing == nullptr) return;
  ImGui::PushFont(ui.fonts.small);
  if (has_plan) {
    colored_text(timing->after.late.empty() ? ui.palette().dim_text : ui.palette().error,
                 copies_text(timing->after));
    ui.widgets.remember("copies");
  }
  const std::string range = range_text(*timing);
  if (!range.empty()) dim_text(ui, "step " + range);
  ui.widgets.remember("range");
  ui.widgets.hint(
      "With assumed times up to twice as long as computed, and guessed ones a quarter to four "
      "times: kernels do not reach the rates of a profile");
  if (ui.model.profile != nullptr) {
    dim_text(ui, basis_text(timing->after, *ui.model.profile));
  }
  ImGui::PopFont();
}

// Swaps that cost copies and do not lower the peak.
void draw_idle_swaps(Ui& ui) {
  // Those of the device that the policy is about: what is kept, is kept on all of them.
  const auto* effects = ui.model.scene->devices.front().swap_effects;
  if (effects == nullptr) return;
  const IdleSwaps idle = idle_swaps(*effects);
  if (idle.count == 0) return;
  colored_text(ui.palette().warning, idle_swaps_text(idle, effects->size()));
  if (ui.widgets.button("Keep all of these", -1)) ui.ask("tensor.keep-idle");
}

}  // namespace

void draw_result_panel(Ui& ui) {
  heading(ui, "Result");
  if (!ui.model.scene) {
    empty_state(ui, "Peak of device memory before and after.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("result");
  const auto& devices = ui.model.scene->devices;
  const std::size_t shown = std::min<std::size_t>(ui.view.device, devices.size() - 1);
  const auto& curves = devices[shown];
  ImGui::PushFont(ui.fonts.large);
  if (curves.after != nullptr) {
    ImGui::TextUnformatted(
        before_and_after(curves.before->device_peak, curves.after->device_peak).c_str());
  } else {
    ImGui::TextUnformatted(format_bytes(curves.before->device_peak).c_str());
  }
  ImGui::PopFont();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Peak of device memory over one step");
  const bool has_plan = ui.model.policy_error.empty();
  if (ui.model.is_stale && has_plan) {
    ImGui::SameLine();
    ImGui::TextDisabled("...");
  }
  if (has_plan) {
    draw_parts(ui, shown);
    draw_numbers(ui, curves);
    draw_raised(ui, curves);
    draw_step(ui, curves.timing, curves.after != nullptr);
  } else {
    colored_text(ui.palette().error, "of the last plan; there is none for the current policy");
    if (ui.widgets.button("Go back to the last valid policy", -1)) ui.ask("policy.revert");
  }
  // As wide as their labels ask for, beside a scroll bar too.
  const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x;
  const float left = room * 0.54F;
  const float right = room - left;
  if (ui.widgets.button("Write graph...", left, has_plan)) ui.ask("file.write-dialog");
  ImGui::SameLine();
  if (ui.widgets.button("Write TB log...", right, has_plan)) ui.ask("file.write-dialog", "log");
  if (ui.widgets.button("Copy command line", left)) ui.ask("edit.copy-command-line");
  ImGui::SameLine();
  if (ui.widgets.button("Copy Python call", right)) ui.ask("edit.copy-python");
  // What is below may leave a low window, the buttons must not.
  if (!has_plan) return;
  draw_report(ui);
  if (shown == 0) draw_idle_swaps(ui);
  draw_time(ui, curves.timing, curves.after != nullptr);
  draw_measured(ui, shown);
}

}  // namespace tideline::ui
