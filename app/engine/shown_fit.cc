// Tested by tests/unit/engine/shown_fit_test.cc.
#include "app/engine/shown_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/engine/fit_json.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"
#include "core/rewrite/warning.h"

namespace tideline::app {
namespace {

constexpr std::size_t kLongestText = 400;

// "9.14 of 16.00 GiB", or both with their units.
std::string of_budget(Bytes peak, Bytes budget) {
  const std::string need = format_bytes(peak), room = format_bytes(budget);
  const auto unit = [](const std::string& text) { return text.substr(text.find(' ')); };
  const bool is_same = unit(need) == unit(room);
  return fmt::format("{} of {}", is_same ? need.substr(0, need.find(' ')) : need, room);
}

std::string device_of(const Fit& fit) {
  return fit.device.empty() ? std::string("the device") : printable(fit.device);
}

std::string verdict_of(const Fit& fit) {
  std::string text = fmt::format("batch size {}{} {} {}: {}", fit.step.batch,
                                 fit.step.is_batch_assumed ? " (assumed)" : "",
                                 fit.step.fits ? "fits" : "does not fit", device_of(fit),
                                 of_budget(fit.step.peak, fit.budget));
  if (fit.step.fits) return text;
  if (!fit.any_fits()) return text + "; no way was found that fits";
  return text + fmt::format("; with {} it fits, {}", fit.ways.front().title, fit.ways.front().cost);
}

std::string largest_of(const Fit& fit) {
  const LargestBatch& largest = fit.largest;
  const std::string_view reason = largest_batch_reason(largest);
  if (!largest.batch) return std::string(reason);
  if (*largest.batch == 0) {
    return fmt::format("no batch size fits as it is: {}, it needs {}", reason,
                       format_bytes(largest.peak));
  }
  return fmt::format("largest batch size that fits as it is: {} ({}; {} needs {})", *largest.batch,
                     format_bytes(largest.peak), *largest.batch + 1,
                     format_bytes(largest.next_peak));
}

std::string range_of(const FitStep& step) {
  if (step.measured_peak) {
    return "the traced step had a peak of " + format_bytes(*step.measured_peak);
  }
  if (step.most <= step.least) return {};
  return fmt::format(
      "{} sizes are guesses: {} with 1 for each unknown dim of what is fed, {} with {}{}",
      step.unknown_sizes, format_bytes(step.least), format_bytes(step.most), kLargeDim,
      with_parameter_names(step.expected_sizes, Naming::kField));
}

ui::FitPart part_of(const PeakLayer& layer) {
  ui::FitPart part = {printable(layer.name, kLongestText), layer.bytes, {}};
  if (layer.name.empty()) {
    part.name = layer.others > 0 ? fmt::format("({} others)", layer.others) : "(no layer)";
  }
  const std::pair<const char*, Bytes> kinds[] = {{"variables", layer.variables},
                                                 {"slots", layer.slots},
                                                 {"activations", layer.activations},
                                                 {"gradients", layer.gradients}};
  for (const auto& [name, bytes] : kinds) {
    if (bytes == 0) continue;
    part.detail +=
        fmt::format("{}{} {}", part.detail.empty() ? "" : ", ", name, format_bytes(bytes));
  }
  return part;
}

std::string line_of(const Warning& warning) {
  return printable(warning_text(warning, Naming::kField), kLongestText);
}

ui::FitRow row_of(const FitWay& way) {
  ui::FitRow row;
  row.title = printable(way.title);
  row.fits = way.fits;
  row.batch = fmt::format("{}", way.batch);
  if (way.devices > 1) row.batch += fmt::format(" on {} devices", way.devices);
  row.peak = format_bytes(way.peak) + (way.fits ? "" : ", does not fit");
  row.example = format_time(std::llround(way.example_ns()));
  row.cost = way.cost;
  row.notes = way.confidence;
  if (way.host_peak > 0) row.notes += "\nhost memory " + format_bytes(way.host_peak);
  for (const Warning& warning : way.warnings) row.notes += "\n" + line_of(warning);
  row.command = way.command;
  return row;
}

}  // namespace

ui::FitCard shown_fit(Fit fit) {
  ui::FitCard card;
  card.any_fits = fit.any_fits();
  card.fits = fit.step.fits;
  card.verdict = verdict_of(fit);
  card.largest_batch = fit.largest.batch;
  card.largest = largest_of(fit);
  card.range = range_of(fit.step);
  for (const FitKind& kind : fit.step.kinds) {
    std::string name(kind.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    card.kinds.push_back({std::move(name), kind.bytes, {}});
  }
  for (const PeakLayer& layer : fit.step.layers) card.layers.push_back(part_of(layer));
  for (const FitWay& way : fit.ways) card.ways.push_back(row_of(way));
  for (const MissingWay& way : fit.missing) {
    card.missing.push_back({printable(way.title), printable(way.reason, kLongestText)});
  }
  for (const Warning& warning : fit.warnings) card.warnings.push_back(line_of(warning));
  card.why_no_curve = fit.largest.depends_on_batch
                          ? "There is no curve: no batch size was simulated."
                          : "There is no curve: the peak does not depend on the batch size.";
  card.curve = std::move(fit.curve);
  return card;
}

}  // namespace tideline::app
