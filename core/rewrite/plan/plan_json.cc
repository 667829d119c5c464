#include "core/rewrite/plan/plan_json.h"

#include <nlohmann/json.hpp>

#include "core/rewrite/plan/value_json.h"

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

Json options_json(const Rewriter& rewriter, const Values& values) {
  Json options = Json::object();
  for (const Parameter& parameter : rewriter.parameters) {
    const Value value = values.get(parameter);
    if (!parameter.is_always_in_plan && value == parameter.default_value()) continue;
    options[json_key(parameter)] = value_json(value);
  }
  return options;
}

}  // namespace

Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    Json& entry = list.emplace_back();
    entry = {{"kind", warning.kind}, {"text", warning_text(warning, Naming::kField)}};
    entry["remedy"] = warning.remedy.empty() ? Json(nullptr) : Json(warning.remedy);
    entry["count"] = warning.count;
    entry["places"] = warning.places;
  }
  return list;
}

namespace {

// Bytes and waits within a budget are the clock's.
void add_time_json(const TimeReport& time, Json& predicted) {
  predicted["budget_bytes"] = nullptr;
  if (time.after.budget) predicted["budget_bytes"] = *time.after.budget;
  predicted["held_without_waiting_bytes"] = time.held;
  predicted["step_ns"] = time.after.step_ns();
  predicted["memory_wait_ns"] = time.after.memory_ns;
}

}  // namespace

std::string plan_json(const Graph& graph, const RewritePlan& plan, const Rewriter& rewriter,
                      const Values& used, const PlanHead& head, const PlanPrediction* predicted) {
  Json whole = plan_head_json(graph, head, std::string(plan.report->kind()));
  whole["options"] = options_json(rewriter, used);
  add_changes_json(graph, plan.edit, whole);
  plan.report->add_json(graph, plan.edit, predicted, whole);
  if (predicted != nullptr) {
    whole["predicted"] = {{"device_peak_bytes", predicted->device_peak_bytes},
                          {"device_peak_bytes_before", predicted->device_peak_before},
                          {"host_peak_bytes", predicted->host_peak_bytes},
                          {"model", predicted->model}};
    if (!predicted->device.empty()) whole["predicted"]["device"] = predicted->device;
    for (const auto& [key, value] : run_members(predicted->run)) whole["predicted"][key] = value;
    if (predicted->time) add_time_json(*predicted->time, whole["predicted"]);
  }
  whole["warnings"] = warnings_json(
      predicted == nullptr
          ? plan.warnings
          : plan.warnings_at(predicted->device_peak_before, predicted->device_peak_bytes,
                             predicted->effects, predicted->time ? &*predicted->time : nullptr));
  if (head.written) {
    whole["written"] = {{"ops", head.written->ops}, {"digest", head.written->digest}};
  }
  return plan_text_of(whole);
}

}  // namespace tideline
