// Tested by the golden case fit.
#include "app/engine/fit_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/rewrite/plan/plan_json.h"

namespace tideline::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson or_null(bool is_known, std::int64_t value) {
  return is_known ? OrderedJson(value) : OrderedJson(nullptr);
}

std::int64_t rounded(double ns) {
  return std::llround(ns);
}

OrderedJson layers_json(const std::vector<PeakLayer>& layers) {
  OrderedJson list = OrderedJson::array();
  for (const PeakLayer& layer : layers) {
    OrderedJson entry = {
        {"layer", layer.name.empty() ? OrderedJson(nullptr) : OrderedJson(layer.name)}};
    if (layer.name.empty()) entry["others"] = layer.others;
    entry["bytes"] = layer.bytes;
    entry["variables"] = layer.variables;
    entry["slots"] = layer.slots;
    entry["activations"] = layer.activations;
    entry["gradients"] = layer.gradients;
    list.push_back(std::move(entry));
  }
  return list;
}

void add_step(const FitStep& step, OrderedJson& json) {
  json["batch_size"] = step.batch;
  json["batch_size_assumed"] = step.is_batch_assumed;
  json["fits"] = step.fits;
  json["device_peak_bytes"] = step.peak;
  json["least_bytes"] = step.least;
  json["most_bytes"] = step.most;
  json["unknown_sizes"] = step.unknown_sizes;
  json["measured_peak_bytes"] =
      or_null(step.measured_peak.has_value(), step.measured_peak.value_or(0));
  json["kinds"] = OrderedJson::array();
  for (const FitKind& kind : step.kinds) {
    json["kinds"].push_back({{"kind", kind.name}, {"bytes", kind.bytes}});
  }
  json["layers"] = layers_json(step.layers);
  json["alive_at_peak"] = OrderedJson::array();
  for (const auto& [tensor, bytes] : step.largest) {
    json["alive_at_peak"].push_back({{"tensor", tensor}, {"bytes", bytes}});
  }
  json["peak_op"] = step.peak_op;
  json["step_ns"] = step.step_ns;
  json["step_least_ns"] = step.range.least_ns;
  json["step_most_ns"] = step.range.most_ns;
  json["example_ns"] = rounded(step.example_ns());
}

void add_largest(const LargestBatch& largest, OrderedJson& json) {
  const std::string_view reason = largest_batch_reason(largest);
  const bool has_next = largest.batch.has_value();
  json["largest_batch"] = or_null(has_next, largest.batch.value_or(0));
  json["largest_batch_reason"] = reason.empty() ? OrderedJson(nullptr) : OrderedJson(reason);
  json["largest_batch_peak_bytes"] = or_null(largest.batch.value_or(0) > 0, largest.peak);
  json["next_batch_peak_bytes"] = or_null(has_next, largest.next_peak);
  json["monotone"] = largest.is_monotone;
  json["batches_tried"] = OrderedJson::array();
  for (const BatchPeak& tried : largest.tried) {
    json["batches_tried"].push_back(
        {{"batch_size", tried.batch}, {"device_peak_bytes", tried.peak}});
  }
}

OrderedJson way_json(const FitWay& way) {
  return {{"way", way.id},
          {"title", way.title},
          {"fits", way.fits},
          {"batch_size", way.batch},
          {"devices", way.devices},
          {"device_peak_bytes", way.peak},
          {"host_peak_bytes", way.host_peak},
          {"step_ns", way.step_ns},
          {"example_ns", rounded(way.example_ns())},
          {"factor", way.factor},
          {"cost", way.cost},
          {"confidence", way.confidence},
          {"warnings", warnings_json(way.warnings)},
          {"command", way.command.empty() ? OrderedJson(nullptr) : OrderedJson(way.command)}};
}

OrderedJson curve_json(const render::FitCurve& curve) {
  if (curve.empty()) return nullptr;
  OrderedJson lines = OrderedJson::array();
  for (const render::FitLine& line : curve.lines) {
    OrderedJson points = OrderedJson::array();
    for (const render::FitPoint& point : line.points) {
      points.push_back({{"batch_size", point.batch},
                        {"device_peak_bytes", point.device_peak},
                        {"example_ns", rounded(point.example_ns)},
                        {"fits", point.fits}});
    }
    lines.push_back({{"title", line.title}, {"points", std::move(points)}});
  }
  return {{"budget_bytes", curve.budget}, {"batch_size", curve.batch}, {"lines", std::move(lines)}};
}

}  // namespace

std::string_view largest_batch_reason(const LargestBatch& largest) {
  if (!largest.depends_on_batch) return "the peak does not depend on the batch size";
  if (!largest.batch) return "every batch size that was tried fits";
  if (*largest.batch == 0) return "a single example does not fit";
  return {};
}

nlohmann::ordered_json fit_json(const Fit& fit) {
  OrderedJson json;
  json["device"] = fit.device;
  json["device_memory_bytes"] = fit.memory;
  json["budget_bytes"] = fit.budget;
  json["profile"] = fit.profile;
  for (const auto& [key, value] : run_members(fit.run)) json[key] = value;
  add_step(fit.step, json);
  add_largest(fit.largest, json);
  json["ways"] = OrderedJson::array();
  for (const FitWay& way : fit.ways) json["ways"].push_back(way_json(way));
  json["missing"] = OrderedJson::array();
  for (const MissingWay& way : fit.missing) {
    json["missing"].push_back({{"title", way.title}, {"reason", way.reason}});
  }
  json["curve"] = curve_json(fit.curve);
  json["warnings"] = warnings_json(fit.warnings);
  return json;
}

}  // namespace tideline::app
