// Tested by the golden case fit.
#include "app/cli/fit_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/terminal.h"
#include "app/engine/fit_json.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::cli {
namespace {

std::string batch_text(const app::FitStep& step) {
  return fmt::format("batch {}{}", step.batch, step.is_batch_assumed ? " (assumed)" : "");
}

// "64: 15.83 GiB, and 65 needs 16.02 GiB".
std::string largest_text(const LargestBatch& largest) {
  const std::string_view reason = app::largest_batch_reason(largest);
  if (!largest.batch) return std::string(reason);
  if (*largest.batch == 0)
    return fmt::format("none: {}, it needs {}", reason, format_bytes(largest.peak));
  return fmt::format("{} ({}; {} needs {})", *largest.batch, format_bytes(largest.peak),
                     *largest.batch + 1, format_bytes(largest.next_peak));
}

void print_verdict(const std::string& graph, const app::Fit& fit) {
  const app::FitStep& step = fit.step;
  const std::string needs = format_bytes(step.peak);
  const std::string has = format_bytes(fit.budget);
  if (step.fits) {
    say("{}, {}: fits {}, {} of {}\n", graph, batch_text(step), fit.device, needs, has);
  } else {
    say("{}, {}: does not fit {}, {} of {}, {} too much\n", graph, batch_text(step), fit.device,
        needs, has, format_bytes(step.peak - fit.budget));
  }
  if (step.measured_peak) {
    say("the traced step had a peak of {}\n", format_bytes(*step.measured_peak));
  } else if (step.most > step.least) {
    say("{} sizes are guesses: {} with 1 for each unknown dim of what is fed, {} with {}{}\n",
        step.unknown_sizes, format_bytes(step.least), format_bytes(step.most), app::kLargeDim,
        with_parameter_names(step.expected_sizes, Naming::kOption));
  }
  say("largest batch that fits as it is: {}\n", largest_text(fit.largest));
  say("a step takes {} ({} to {}), an example {} (profile {})\n", format_time(step.step_ns),
      format_time(step.range.least_ns), format_time(step.range.most_ns),
      format_time(static_cast<std::int64_t>(step.example_ns())), printable(fit.profile));
  const std::string run = run_text(fit.run);
  if (!run.empty()) say("the step is simulated {}\n", run);
}

double percent(Bytes part, Bytes of) {
  return of > 0 ? 100 * static_cast<double>(part) / static_cast<double>(of) : 0;
}

void print_peak(const app::FitStep& step) {
  say("\nat the peak, while {} runs:\n", step.peak_op.empty() ? "nothing" : step.peak_op);
  for (const app::FitKind& kind : step.kinds) {
    std::string name(kind.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    say("  {:>10} {:>3.0f} %  {}\n", format_bytes(kind.bytes), percent(kind.bytes, step.peak),
        name);
  }
  say("by layer, with its gradients and slots:\n");
  for (const PeakLayer& layer : step.layers) {
    std::string name = printable(layer.name, 120);
    if (layer.name.empty()) {
      name = layer.others > 0 ? fmt::format("({} others)", layer.others) : "(no layer)";
    }
    say("  {:>10} {:>3.0f} %  {}\n", format_bytes(layer.bytes), percent(layer.bytes, step.peak),
        name);
  }
}

void print_ways(const app::Fit& fit) {
  say("\nways to fit, the fastest first:\n");
  std::size_t width = 4;
  for (const app::FitWay& way : fit.ways) width = std::max(width, way.title.size());
  say("  {}  {:>6}  {:>10}  {:>10}\n", fmt::format("     {:{}}", "", width), "batch", "peak",
      "an example");
  for (std::size_t i = 0; i < fit.ways.size(); ++i) {
    const app::FitWay& way = fit.ways[i];
    const std::string number = way.fits ? fmt::format("{:>3}.", i + 1) : "   -";
    say("  {}  {:>6}  {:>10}  {:>10}  {}{}\n", fmt::format("{} {:{}}", number, way.title, width),
        way.batch, format_bytes(way.peak), format_time(static_cast<std::int64_t>(way.example_ns())),
        way.cost, way.fits ? "" : "; does not fit");
  }
  for (const app::MissingWay& way : fit.missing) say("  no {}: {}\n", way.title, way.reason);
  for (std::size_t i = 0; i < fit.ways.size(); ++i) {
    if (!fit.ways[i].fits) continue;
    for (const Warning& warning : fit.ways[i].warnings) {
      say("  way {}: {}\n", i + 1, warning_text(warning, Naming::kOption));
    }
  }
  const auto first = std::find_if(fit.ways.begin(), fit.ways.end(),
                                  [](const app::FitWay& way) { return !way.confidence.empty(); });
  if (first != fit.ways.end()) say("  {}\n", first->confidence);
}

// Alone on their lines, to be copied.
void print_commands(const app::Fit& fit) {
  bool has_begun = false;
  for (std::size_t i = 0; i < fit.ways.size(); ++i) {
    const app::FitWay& way = fit.ways[i];
    if (!way.fits || way.command.empty()) continue;
    if (!has_begun) say("\ncommands:\n");
    has_begun = true;
    say("  {}. {}\n", i + 1, way.command);
  }
}

}  // namespace

void print_fit(const std::string& graph, const app::Fit& fit) {
  print_verdict(graph, fit);
  print_peak(fit.step);
  if (!fit.step.fits) {
    print_ways(fit);
    print_commands(fit);
  }
}

void print_devices(const std::string& graph, const std::vector<app::Fit>& fits) {
  const app::FitStep& step = fits.front().step;
  say("{}, {}: needs {}\n", graph, batch_text(step), format_bytes(step.peak));
  say("  {:10} {:>10}  {:14} {:>13}  {:>10}  {:>10}\n", "device", "memory", "", "largest batch",
      "a step", "an example");
  for (const app::Fit& fit : fits) {
    const std::string largest = fit.largest.batch ? std::to_string(*fit.largest.batch) : "any";
    say("  {:10} {:>10}  {:14} {:>13}  {:>10}  {:>10}\n", fit.device, format_bytes(fit.memory),
        fit.step.fits ? "fits" : "does not fit", largest, format_time(fit.step.step_ns),
        format_time(static_cast<std::int64_t>(fit.step.example_ns())));
  }
  say("--device NAME shows where the memory goes, and the ways to fit\n");
}

}  // namespace tideline::cli
