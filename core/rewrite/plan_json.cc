#include "core/rewrite/plan_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

class PlanPrinter {
 public:
  PlanPrinter(const Graph& graph, const LmsPlan& plan) : graph_(graph), plan_(plan) {}

  [[nodiscard]] Json added() const {
    Json list = Json::array();
    for (const PlannedCopy& copy : plan_.added) {
      Json attrs = {{"T", data_type_name(copy.type)}};
      if (copy.shape) attrs["_output_shapes"] = Json::array({dims(*copy.shape)});
      if (copy.keep_from_grappler) attrs["_grappler_do_not_remove"] = true;
      list.push_back({{"name", copy.name},
                      {"op", "Identity"},
                      {"device", copy.device},
                      {"inputs", {tensor(copy.input)}},
                      {"control_inputs", Json::array()},
                      {"attrs", attrs}});
    }
    return list;
  }

  [[nodiscard]] Json rerouted() const {
    std::vector<const Reroute*> sorted;
    for (const Reroute& reroute : plan_.rerouted) sorted.push_back(&reroute);
    std::sort(sorted.begin(), sorted.end(), [&](const Reroute* a, const Reroute* b) {
      return std::pair(name(a->op), a->slot) < std::pair(name(b->op), b->slot);
    });
    Json list = Json::array();
    for (const Reroute* reroute : sorted) {
      list.push_back({{"op", name(reroute->op)},
                      {"slot", reroute->slot},
                      {"from", tensor(reroute->from)},
                      {"to", tensor(reroute->to)}});
    }
    return list;
  }

  [[nodiscard]] Json control() const {
    std::map<std::string, std::vector<std::string>> by_op;
    for (const ControlEdge& edge : plan_.control) by_op[name(edge.op)].push_back(name(edge.after));
    Json list = Json::array();
    for (const auto& [op, after] : by_op) list.push_back({{"op", op}, {"after", after}});
    return list;
  }

  [[nodiscard]] Json swaps() const {
    std::map<std::string, Json> by_tensor;
    for (const PlannedSwap& swap : plan_.swaps) {
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
      by_tensor[tensor(swap.tensor)] = {{"tensor", tensor(swap.tensor)},
                                        {"bytes", swap.bytes},
                                        {"swap_out", name(swap.swap_out)},
                                        {"swap_ins", std::move(swap_ins)},
                                        {"why", swap.why}};
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
  static Json dims(const Shape& shape) {
    if (!shape.has_rank) return nullptr;
    Json list = Json::array();
    for (const std::int64_t dim : shape.dims) {
      list.push_back(dim == kUnknownDim ? Json(nullptr) : Json(dim));
    }
    return list;
  }
  static Json values(std::map<std::string, Json>&& by_name) {
    Json list = Json::array();
    for (auto& [key, value] : by_name) list.push_back(std::move(value));
    return list;
  }

  const Graph& graph_;
  const LmsPlan& plan_;
};

void add_filter(Json& options, const std::string& name, const OpFilter& filter) {
  if (!filter.scopes.empty()) options[name + "_by_scopes"] = filter.scopes;
  if (!filter.types.empty()) options[name + "_by_types"] = filter.types;
}

Json options_json(const Lms2Options& given) {
  Json options = {{"swapout_threshold", given.swapout_threshold},
                  {"swapin_ahead", given.swapin_ahead},
                  {"swapin_groupby", given.swapin_groupby},
                  {"sync_mode", given.sync_mode},
                  {"cpu_device", given.cpu_device},
                  {"inference", !given.is_training},
                  {"keras", given.is_keras}};
  if (given.guard_conditionals) options["guard_conditionals"] = true;
  if (!given.serialization.empty()) options["serialization"] = given.serialization;
  if (given.serialization_by_size) {
    options["serialization_by_size"] = *given.serialization_by_size;
  }
  if (given.batch_size) options["batch_size"] = *given.batch_size;
  if (given.gpu_device) options["gpu_device"] = *given.gpu_device;
  add_filter(options, "excl_output", given.excl_output);
  add_filter(options, "excl_input", given.excl_input);
  add_filter(options, "incl_output", given.incl_output);
  add_filter(options, "incl_input", given.incl_input);
  if (!given.keep_tensors.empty()) options["keep_tensors"] = given.keep_tensors;
  if (!given.swap_tensors.empty()) options["swap_tensors"] = given.swap_tensors;
  return options;
}

Json options_json(const Lms1Options& given) {
  Json options = {{"optimizer_scopes", given.optimizer_scopes}};
  const auto add = [&](const char* name, const auto& value) {
    if (!value.empty()) options[name] = value;
  };
  add("starting_scope", given.starting_scope);
  add("starting_op_names", given.starting_op_names);
  add("excl_scopes", given.excl_scopes);
  add("incl_scopes", given.incl_scopes);
  add("excl_types", given.excl_types);
  add("incl_types", given.incl_types);
  options["n_tensors"] = given.n_tensors;
  options["lb"] = given.lb;
  options["ub"] = given.ub;
  options["fuse_swapins"] = given.fuse_swapins;
  options["ctrld_strategy"] = name_of(given.ctrld_strategy);
  options["swap_branches"] = given.swap_branches;
  options["branch_threshold"] = given.branch_threshold;
  options["cpu_device"] = given.cpu_device;
  add("keep_tensors", given.keep_tensors);
  add("swap_tensors", given.swap_tensors);
  if (given.guard_conditionals) options["guard_conditionals"] = true;
  if (given.batch_size) options["batch_size"] = *given.batch_size;
  return options;
}

std::string print(const Graph& graph, const LmsPlan& plan, Json options, const PlanHead& head) {
  const PlanPrinter printer(graph, plan);
  Json json;
  json["schema"] = "tideline.plan/1";
  json["tool"] = head.tool;
  json["kind"] = "lms";
  json["graph"] = {{"file", head.file}, {"ops", graph.op_count()}, {"digest", head.digest}};
  if (!head.function.empty()) json["graph"]["function"] = head.function;
  json["options"] = std::move(options);
  json["version"] = plan.version;
  json["necessary"] = plan.necessary;
  json["already_edited"] = plan.already_edited;
  json["added"] = printer.added();
  json["rerouted"] = printer.rerouted();
  json["control"] = printer.control();
  json["swaps"] = printer.swaps();
  json["not_swapped"] = printer.not_swapped();
  if (plan.predicted) {
    json["predicted"] = {{"device_peak_bytes", plan.predicted->device_peak_bytes},
                         {"host_peak_bytes", plan.predicted->host_peak_bytes},
                         {"model", plan.predicted->model}};
  }
  printer.add_order(json);
  // Names are UTF-8 (checked on reading); whatever else slips through is replaced, not thrown at.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string plan_json(const Graph& graph, const LmsPlan& plan, const Lms2Options& options,
                      const PlanHead& head) {
  return print(graph, plan, options_json(options), head);
}

std::string plan_json(const Graph& graph, const LmsPlan& plan, const Lms1Options& options,
                      const PlanHead& head) {
  return print(graph, plan, options_json(options), head);
}

}  // namespace tideline
