#include "render/model/result_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/counted.h"
#include "core/memory/measured/measured_peaks.h"
#include "core/memory/step_time_text.h"
#include "core/rewrite/policy.h"
#include "render/model/largest_run.h"
#include "render/model/limit_line.h"
#include "render/view/measured_curve.h"

namespace tideline::ui {
namespace {

constexpr const char* kArrow = "\u2192";

// "9.14 -> 3.86 GiB": both in the unit of the first, when it is no more than a thousand times less.
std::string before_and_after(Bytes before, Bytes after) {
  const std::string from = format_bytes(before), to = format_bytes(after);
  const auto unit = [](const std::string& text) { return text.substr(text.find(' ') + 1); };
  const bool is_same = unit(from) == unit(to);
  return fmt::format("{} {} {}", is_same ? from.substr(0, from.find(' ')) : from, kArrow, to);
}

// A line of the card is not wide enough for a peak with its parts.
std::string in_lines(std::string text) {
  for (std::size_t at = 0; (at = text.find(" (", at)) != std::string::npos;) {
    text.replace(at, 1, "\n");
  }
  return text;
}

class ResultLines {
 public:
  ResultLines(const UiModel& model, std::size_t device)
      : model_(model),
        scene_(*model.scene),
        device_(device),
        curves_(scene_.devices[device]),
        shown_(curves_.after != nullptr ? *curves_.after : *curves_.before) {}

  std::vector<ResultLine> make() {
    if (!model_.policy_error.empty()) {
      ResultLine& line = add(Tone::kError, fmt::format("of {}", kOutdatedPlan));
      line.label = "Go back to the last valid policy";
      line.action = "policy.revert";
      return std::move(lines_);
    }
    add_run();
    add_exact();
    add_largest_run();
    add_parts();
    add_batch();
    add_budget();
    add_swaps();
    add_raised();
    add_warnings();
    if (curves_.timing != nullptr) {
      add(Tone::kText, step_text(*curves_.timing, has_after(), kArrow)).name = "step";
    }
    are_details_ = true;
    for (const std::string& line : model_.report) {
      ResultLine& added = add(Tone::kText, line);
      added.name = "report";
      added.is_small = true;
    }
    if (device_ == 0) add_idle_swaps();
    add_time();
    add_measured();
    return std::move(lines_);
  }

 private:
  [[nodiscard]] bool has_after() const { return curves_.after != nullptr; }
  // Whether the graph itself holds swaps; they are then in the step before and after.
  [[nodiscard]] bool holds_swaps() const {
    return scene_.copies != nullptr && !scene_.copies->empty();
  }

  ResultLine& add(Tone tone, std::string text) {
    ResultLine& line = lines_.emplace_back();
    line.text = std::move(text);
    line.tone = tone;
    line.is_detail = are_details_ && tone != Tone::kError;  // late copies stand beside the step
    return line;
  }

  ResultLine& add_small(Tone tone, std::string text) {
    ResultLine& line = add(tone, std::move(text));
    line.is_small = true;
    return line;
  }

  void add_run() {
    const std::string run = run_text(curves_.run);
    if (run.empty()) return;
    const std::string in_file =
        curves_.peak_in_file
            ? fmt::format("; {} as in the file", format_bytes(*curves_.peak_in_file))
            : std::string();
    const bool is_beside_exact = model_.exact.has_value();
    ResultLine& line = add(Tone::kDim, (is_beside_exact ? "modelled " : "") + run + in_file);
    line.name = "as-run";
    line.is_small = true;
    line.hint =
        "Without what Grappler folds, of each conditional one branch, in the executor's order. As "
        "in the file: the peak of the graph without a plan, nothing folded, by level";
    if (curves_.taken.empty()) return;
    ResultLine& branches = add(Tone::kDim, curves_.taken);
    branches.name = "branches";
    branches.is_small = true;
    branches.hint =
        "The branch that makes more bytes, unless one is chosen: graph.branch NAME "
        "true|false|larger in the command palette, NAME the scope of a conditional or its "
        "predicate";
  }

  // The only numbers of the card that are not of the model.
  void add_exact() {
    if (!model_.exact) return;
    const ExactPeaks& exact = *model_.exact;
    const std::size_t device = std::min(device_, std::max<std::size_t>(exact.before.size(), 1) - 1);
    if (exact.is_asking()) {
      add_small(Tone::kDim, "asking TensorFlow which step it runs").name = "exactly";
      return;
    }
    if (!exact.before.empty()) {
      const Bytes before = exact.before[device].device_peak;
      const ExactPeak& last = exact.after.empty() ? exact.before[device] : exact.after[device];
      const std::string miss = exact_miss(last, scene_.device_budget);
      ResultLine& line =
          add_small(miss.empty() ? Tone::kText : Tone::kError,
                    fmt::format("as TensorFlow {} runs it, exactly: {}{}{}", exact.tensorflow,
                                exact.after.empty() ? format_bytes(before)
                                                    : before_and_after(before, last.device_peak),
                                miss.empty() ? "" : "\n", miss));
      line.name = "exactly";
      line.hint =
          "The peak of the step on the graph that the graph optimizer of an installed TensorFlow "
          "makes. All other numbers and the charts are of the model, by which plans are made";
    }
    if (exact.problem.empty()) return;
    ResultLine& line = add_small(Tone::kWarning, "not known exactly: " + exact.problem);
    line.name = "not-exactly";
    if (!exact.before.empty()) return;
    line.label = "Ask TensorFlow again";
    line.action = "graph.as-run";
    line.arguments = {std::string(as_run_name(AsRun::kExact)),
                      std::string(executor_name(model_.run.executor))};
  }

  // The peak divided into the same parts as a measured peak.
  void add_parts() {
    ResultLine& line = add(Tone::kDim, parts_text(peak_parts(shown_)));
    line.name = "parts";
    line.is_small = true;
    line.hint =
        "Resident: variables, optimizer slots and constants, which are there before and after the "
        "step. Of the step: what it allocates";
  }

  void add_largest_run() {
    const RunRow* run = largest_run(model_);
    if (run == nullptr || device_ != 0) return;
    ResultLine& line =
        add(Tone::kText,
            fmt::format("the largest run: {}, {} + {} resident", run->name,
                        format_bytes(run->peak - run->resident), format_bytes(run->resident)));
    line.name = "largest-run";
    line.hint = "A cycle needs what its largest run needs. The lines below are of the plain step";
  }

  void add_batch() {
    if (model_.summary == nullptr || !model_.summary->is_batch_open) return;
    ResultLine& line = add_small(Tone::kWarning, "batch size: open, 1 assumed");
    line.name = "batch";
    line.hint =
        "The file leaves the first dimension of what it is fed open: peak and times are those of a "
        "batch of 1. Give the batch size of the training";
  }

  void add_budget() {
    const RunRow* run = device_ == 0 ? largest_run(model_) : nullptr;
    const Bytes budget = scene_.device_budget, peak = run ? run->peak : shown_.device_peak;
    if (budget <= 0) {
      add(Tone::kDim, "no device budget given");
    } else if (peak <= budget && curves_.timing != nullptr && curves_.timing->after.stuck) {
      add(Tone::kError, fmt::format("does not fit {}", format_bytes(budget)));
    } else if (peak <= budget) {
      add(Tone::kGood,
          fmt::format("fits {}, {} spare", format_bytes(budget), format_bytes(budget - peak)));
    } else {
      add(Tone::kError,
          fmt::format("exceeds {} by {}", format_bytes(budget), format_bytes(peak - budget)));
    }
    lines_.back().name = "verdict";
    const Bytes given = model_.policy->budget ? model_.policy->budget->device : budget;
    if (budget > 0 && given > budget) {
      lines_.back().text +=
          fmt::format("\n{} of {} in reserve", format_bytes(given - budget), format_bytes(given));
    }
  }

  void add_swaps() {
    const RewritePlan* plan = scene_.plan;
    if (holds_swaps()) {
      add(Tone::kText, fmt::format("{} copies are in this file", scene_.copies->copy_count()))
          .name = "copies-in-file";
    }
    if (!has_after() && !holds_swaps()) {
      add(Tone::kDim, plan == nullptr ? "no swaps: the mode is off"
                                      : "the plain step; its runs are listed below");
      return;
    }
    // The lines of model_.report say what other plans do.
    if (plan != nullptr && plan->swaps().empty() && !model_.report.empty()) return;
    const std::size_t tensors = plan != nullptr && !holds_swaps()
                                    ? plan->swaps().size()
                                    : static_cast<std::size_t>(shown_.swapped_out_tensors);
    add(Tone::kText, fmt::format("{} swapped\n{} moved a step", counted(tensors, "tensor"),
                                 format_bytes(saturating_add(shown_.bytes_out, shown_.bytes_in))));
    const Bytes budget = scene_.host_budget;
    const bool is_full = budget > 0 && shown_.host_peak > budget;
    add(is_full ? Tone::kError : Tone::kText,
        fmt::format("host peak {}{}", format_bytes(shown_.host_peak),
                    is_full ? " (exceeds " + format_bytes(budget) + ")" : ""));
  }

  // A plan can do harm: copies that wait for their readers are memory, too.
  void add_raised() {
    if (!has_after()) return;
    const bool has_swaps = scene_.plan == nullptr || !scene_.plan->swaps().empty();
    std::vector<Warning> raised;
    add_raised_peak(has_swaps ? "the swaps raise" : "the plan raises", curves_.before->device_peak,
                    curves_.after->device_peak, raised);
    for (Warning& warning : raised) add(Tone::kWarning, std::move(warning.text)).name = "raised";
  }

  void add_warnings() {
    if (device_ != 0) return;
    for (const Warning& warning : model_.warnings) {
      ResultLine& line = add(Tone::kWarning, warning.text);
      line.name = "warning";
      if (warning.remedy.empty()) continue;
      line.label = fmt::format("Turn on {}", warning.remedy);
      line.action = "policy.set";
      line.arguments = {warning.remedy, "on"};
    }
  }

  // Swaps that cost copies and do not lower the peak, on the device that the policy is about: a
  // tensor that is kept is kept on all devices.
  void add_idle_swaps() {
    const auto* effects = curves_.swap_effects;
    if (effects == nullptr) return;
    const IdleSwaps idle = idle_swaps(*effects);
    if (idle.count == 0) return;
    ResultLine& line = add(Tone::kWarning, idle_swaps_text(idle, effects->size()));
    line.label = "Keep all of these";
    line.action = "tensor.keep-idle";
  }

  // The time of a step, and where it comes from.
  void add_time() {
    const TimeReport* timing = curves_.timing;
    if (timing == nullptr) return;
    const std::size_t first = lines_.size();
    if (has_after() || holds_swaps()) {
      const bool is_late = !timing->after.late.empty();
      add(is_late ? Tone::kError : Tone::kDim, copies_text(timing->after)).name = "copies";
      if (const std::string memory = memory_text(*timing, shown_.device_peak); !memory.empty()) {
        ResultLine& line = add(Tone::kDim, memory);
        line.name = "memory-waits";
        line.hint =
            "A tensor that is swapped out gives its memory back when its copy has ended, one that "
            "comes back takes it when its copy begins";
      }
    }
    if (const std::string range = range_text(*timing); !range.empty()) {
      ResultLine& line = add(Tone::kDim, "step " + range);
      line.name = "range";
      line.hint =
          "With assumed times up to twice as long as computed, and guessed ones a quarter to four "
          "times: kernels do not reach the rates of a profile";
    }
    if (model_.profile != nullptr) {
      add(Tone::kDim, basis_text(timing->after, *model_.profile));
    }
    for (std::size_t i = first; i < lines_.size(); ++i) lines_[i].is_small = true;
  }

  void add_measured() {
    const std::string summary = render::measured_summary(scene_, device_);
    if (summary.empty()) return;
    ResultLine& line = add(Tone::kMeasured, in_lines(summary));
    line.name = "measured";
    line.is_small = true;
    if (!scene_.measured->devices[*render::measured_device(scene_, device_)].has_memory()) return;
    line.hint =
        "A trace does not record what is resident: the model's number stands for it. The model "
        "there is the model on the ops that were traced, in their order, when the run had its "
        "peak; the peak above is that of all ops that the step needs, in the model's order";
  }

  const UiModel& model_;
  const render::Scene& scene_;
  std::size_t device_;
  const render::DeviceCurves& curves_;
  const MemoryTimeline& shown_;
  std::vector<ResultLine> lines_;
  bool are_details_ = false;
};

}  // namespace

std::string_view tone_name(Tone tone) {
  switch (tone) {
    case Tone::kText: break;
    case Tone::kDim: return "dim";
    case Tone::kGood: return "good";
    case Tone::kWarning: return "warning";
    case Tone::kError: return "error";
    case Tone::kMeasured: return "measured";
  }
  return "text";
}

std::string counts_text(const std::vector<PlanCount>& counts) {
  std::string text;
  for (const PlanCount& count : counts) {
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count.number, count.word,
                        count.word.ends_with('s') ? "" : "s");
  }
  return text;
}

ResultCard result_card(const UiModel& model, std::size_t device, const LevelStretch* limit) {
  const auto& devices = model.scene->devices;
  device = std::min(device, devices.size() - 1);
  const render::DeviceCurves& curves = devices[device];
  ResultCard card;
  card.title = curves.after != nullptr
                   ? before_and_after(curves.before->device_peak, curves.after->device_peak)
                   : format_bytes(curves.before->device_peak);
  card.hint = "Peak of device memory over one step";
  if (const RunRow* run = device == 0 ? largest_run(model) : nullptr) {
    card.title = before_and_after(curves.before->device_peak, run->peak);
    card.hint = "Peak of device memory: of the plain step, and of the largest run of the cycle";
  }
  card.can_write = model.policy_error.empty();
  card.lines = ResultLines(model, device).make();
  if (limit != nullptr) card.lines.insert(card.lines.begin(), limit_line(model, device, *limit));
  for (const ResultLine& line : card.lines) {
    if (line.name != "verdict") continue;
    card.verdict = line.text.substr(0, line.text.find('\n'));
    card.verdict_tone = line.tone;
  }
  if (!card.can_write) {
    card.verdict = "no plan for the current policy";
    card.verdict_tone = Tone::kError;
  }
  const bool has_after = curves.after != nullptr;
  if (curves.timing != nullptr) card.time = step_text(*curves.timing, has_after, kArrow);
  if (has_after && model.scene->plan != nullptr && !model.scene->plan->swaps().empty()) {
    card.swaps = fmt::format("{} swapped, host peak {}",
                             counted(model.scene->plan->swaps().size(), "tensor"),
                             format_bytes(curves.after->host_peak));
  }
  return card;
}

std::string open_state_text(const UiModel& model) {
  if (model.checkpoint) return "checkpoint";
  if (model.log) return "log of " + counted(model.log->runs.size(), "run");
  if (!model.scene) return "nothing open";
  const RewritePlan* plan = model.scene->plan;
  if (plan == nullptr) {
    const SwapCopies* copies = model.scene->copies;
    if (copies == nullptr || copies->empty()) return "original graph";
    return fmt::format("original graph, {} copies are in it", copies->copy_count());
  }
  // A graph that is opened with a policy, such as the sample, was written by nobody.
  const std::string_view state = model.unwritten            ? "rewritten, not written"
                                 : model.undo_title.empty() ? "rewritten when opened"
                                                            : "written";
  std::string text = fmt::format("{} ", state);
  for (const PlanCount& count : plan->report->counts(plan->edit)) {
    text += fmt::format("  +{} {}", count.number, count.word);
  }
  if (!model.warnings.empty())
    text += fmt::format("   {}", counted(model.warnings.size(), "warning"));
  return text;
}

}  // namespace tideline::ui
