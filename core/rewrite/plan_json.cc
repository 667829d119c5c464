#include "core/rewrite/plan_json.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/rewrite/value_json.h"

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

class ReportPrinter {
 public:
  ReportPrinter(const Graph& graph, const RewritePlan& plan) : graph_(graph), plan_(plan) {}

  [[nodiscard]] Json swaps() const {
    std::map<std::string, Json> by_tensor;
    for (std::size_t i = 0; i < plan_.swaps.size(); ++i) {
      const PlannedSwap& swap = plan_.swaps[i];
      Json swap_ins = Json::array();
      for (const PlannedSwapIn& swap_in : swap.swap_ins) {
        std::vector<std::string> consumers;
        for (const OpId consumer : swap_in.consumers) consumers.push_back(name(consumer));
        std::sort(consumers.begin(), consumers.end());
        Json entry = {{"name", name(swap_in.copy)}, {"consumers", consumers}};
        entry["trigger"] = swap_in.trigger.valid() ? Json(name(swap_in.trigger)) : Json(nullptr);
        entry["trigger_level"] =
            swap_in.trigger.valid() ? Json(swap_in.trigger_level) : Json(nullptr);
        swap_ins.push_back(std::move(entry));
      }
      Json& entry = by_tensor[tensor(swap.tensor)];
      entry = {{"tensor", tensor(swap.tensor)},
               {"bytes", swap.bytes},
               {"swap_out", name(swap.swap_out)},
               {"swap_ins", std::move(swap_ins)},
               {"why", swap.why}};
      if (i < plan_.effects.size()) {
        entry["at_peak"] = at_peak_name(plan_.effects[i].at_peak);
        entry["is_idle"] = plan_.effects[i].is_idle;
      }
    }
    return values(std::move(by_tensor));
  }

  [[nodiscard]] Json not_swapped() const {
    std::map<std::string, Json> by_tensor;
    for (const KeptTensor& kept : plan_.not_swapped) {
      by_tensor[tensor(kept.tensor)] = {
          {"tensor", tensor(kept.tensor)}, {"bytes", kept.bytes}, {"why", kept.why}};
    }
    return values(std::move(by_tensor));
  }

  // Version 1 only; an op without an order is not listed.
  void add_order(Json& json) const {
    if (!plan_.order) return;
    Json starting = Json::array();
    for (const OpId op : plan_.order->starting) starting.push_back(name(op));
    std::sort(starting.begin(), starting.end());
    std::map<std::string, std::int32_t> order_of;
    for (const OpId op : graph_.ops()) {
      const std::int32_t order = plan_.order->order_of[op.index()];
      if (order >= 0) order_of[name(op)] = order;
    }
    json["starting_ops"] = std::move(starting);
    json["orders"] = plan_.order->count;
    json["backward_starting_order"] = plan_.order->backward_start;
    json["order_of"] = order_of;
  }

 private:
  [[nodiscard]] std::string name(OpId op) const { return op_name(graph_, plan_, op); }
  [[nodiscard]] std::string tensor(TensorId id) const { return tensor_name(graph_, plan_, id); }
  static Json values(std::map<std::string, Json>&& by_name) {
    Json list = Json::array();
    for (auto& [key, value] : by_name) list.push_back(std::move(value));
    return list;
  }

  const Graph& graph_;
  const RewritePlan& plan_;
};

Json options_json(const Rewriter& rewriter, const Values& values) {
  Json options = Json::object();
  for (const Parameter& parameter : rewriter.parameters) {
    const Value value = values.get(parameter);
    if (!parameter.is_always_in_plan && value == parameter.default_value()) continue;
    options[json_key(parameter)] = value_json(value);
  }
  return options;
}

std::string print_report(const Graph& graph, const RewritePlan& plan, Json options,
                         const PlanHead& head) {
  Json json = plan_head_json(graph, head, std::string(plan.report->kind()));
  json["options"] = std::move(options);
  add_changes_json(graph, plan.edit, json);
  plan.report->add_json(graph, plan.edit, json);
  if (head.written) {
    json["written"] = {{"ops", head.written->ops}, {"digest", head.written->digest}};
  }
  return plan_text_of(json);
}

std::string print_lms(const Graph& graph, const RewritePlan& plan, Json options,
                      const PlanHead& head) {
  const ReportPrinter printer(graph, plan);
  Json json = plan_head_json(graph, head, "lms");
  json["options"] = std::move(options);
  json["version"] = plan.version;
  json["necessary"] = plan.necessary;
  json["already_edited"] = plan.already_edited;
  add_changes_json(graph, plan.edit, json);
  json["swaps"] = printer.swaps();
  json["not_swapped"] = printer.not_swapped();
  if (plan.predicted) {
    json["predicted"] = {{"device_peak_bytes", plan.predicted->device_peak_bytes},
                         {"device_peak_bytes_before", plan.predicted->device_peak_before},
                         {"host_peak_bytes", plan.predicted->host_peak_bytes},
                         {"model", plan.predicted->model}};
  }
  printer.add_order(json);
  return plan_text_of(json);
}

}  // namespace

std::string plan_json(const Graph& graph, const RewritePlan& plan, const Rewriter& rewriter,
                      const Values& used, const PlanHead& head) {
  Json options = options_json(rewriter, used);
  return plan.report ? print_report(graph, plan, std::move(options), head)
                     : print_lms(graph, plan, std::move(options), head);
}

}  // namespace tideline
