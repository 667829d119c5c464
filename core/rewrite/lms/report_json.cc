// Tested by golden/oracle_test.cc and golden/lms1_oracle_test.cc.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/rewrite/lms/report.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

Json values(std::map<std::string, Json>&& by_name) {
  Json list = Json::array();
  for (auto& [key, value] : by_name) list.push_back(std::move(value));
  return list;
}

template <typename Number>
Json number_or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json list_json(const SwappedList& list) {
  return {{"element_bytes", number_or_null(list.element_bytes)},
          {"elements", number_or_null(list.elements)}};
}

class LmsPrinter {
 public:
  LmsPrinter(const Graph& graph, const GraphPlan& plan, const LmsFindings& findings)
      : graph_(graph), plan_(plan), findings_(findings) {}

  [[nodiscard]] Json swaps(const PlanPrediction* predicted) const {
    std::map<std::string, Json> by_tensor;
    for (std::size_t i = 0; i < findings_.swaps.size(); ++i) {
      const PlannedSwap& swap = findings_.swaps[i];
      Json swap_ins = Json::array();
      for (const PlannedSwapIn& swap_in : swap.swap_ins) swap_ins.push_back(swap_in_json(swap_in));
      Json& entry = by_tensor[tensor(swap.tensor)];
      entry = {{"tensor", tensor(swap.tensor)},
               {"bytes", swap.bytes},
               {"swap_out", name(swap.swap_out)},
               {"swap_ins", std::move(swap_ins)},
               {"why", swap.why}};
      for (const SwappedList& list : findings_.lists) {
        if (list.tensor == swap.tensor) entry["list"] = list_json(list);
      }
      if (swap.own_ahead > 0) entry["own_ahead"] = swap.own_ahead;
      if (predicted != nullptr && i < predicted->effects.size()) {
        entry["at_peak"] = at_peak_name(predicted->effects[i].at_peak);
        entry["is_idle"] = predicted->effects[i].is_idle;
      }
    }
    return values(std::move(by_tensor));
  }

  [[nodiscard]] Json not_swapped() const {
    std::map<std::string, Json> by_tensor;
    for (const KeptTensor& kept : findings_.not_swapped) {
      by_tensor[tensor(kept.tensor)] = {
          {"tensor", tensor(kept.tensor)}, {"bytes", kept.bytes}, {"why", kept.why}};
    }
    return values(std::move(by_tensor));
  }

  // An op without an order is not listed.
  void add_order(Json& json) const {
    if (!findings_.order) return;
    Json starting = Json::array();
    for (const OpId op : findings_.order->starting) starting.push_back(name(op));
    std::sort(starting.begin(), starting.end());
    std::map<std::string, std::int32_t> order_of;
    for (const OpId op : graph_.ops()) {
      const std::int32_t order = findings_.order->order_of[op.index()];
      if (order >= 0) order_of[name(op)] = order;
    }
    json["starting_ops"] = std::move(starting);
    json["orders"] = findings_.order->count;
    json["backward_starting_order"] = findings_.order->backward_start;
    json["order_of"] = order_of;
  }

 private:
  [[nodiscard]] Json swap_in_json(const PlannedSwapIn& swap_in) const {
    std::vector<std::string> consumers;
    for (const OpId consumer : swap_in.consumers) consumers.push_back(name(consumer));
    std::sort(consumers.begin(), consumers.end());
    Json entry = {{"name", name(swap_in.copy)}, {"consumers", consumers}};
    entry["trigger"] = swap_in.trigger.valid() ? Json(name(swap_in.trigger)) : Json(nullptr);
    entry["trigger_level"] = swap_in.trigger.valid() ? Json(swap_in.trigger_level) : Json(nullptr);
    return entry;
  }
  [[nodiscard]] std::string name(OpId op) const { return std::string(plan_.name(graph_, op)); }
  [[nodiscard]] std::string tensor(TensorId id) const { return plan_.tensor_name(graph_, id); }

  const Graph& graph_;
  const GraphPlan& plan_;
  const LmsFindings& findings_;
};

}  // namespace

void LmsReport::add_json(const Graph& graph, const GraphPlan& plan, const PlanPrediction* predicted,
                         Json& json) const {
  const LmsPrinter printer(graph, plan, findings_);
  json["version"] = findings_.version;
  json["necessary"] = findings_.necessary;
  json["already_edited"] = findings_.already_edited;
  json["swaps"] = printer.swaps(predicted);
  json["not_swapped"] = printer.not_swapped();
  printer.add_order(json);
}

}  // namespace tideline
