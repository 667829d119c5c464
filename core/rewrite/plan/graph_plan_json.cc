// Tested by unit/rewrite/plan_json_reader_test.cc and property/plan_property.cc.
#include "core/rewrite/plan/graph_plan_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/rewrite/plan/attribute_json.h"
#include "core/rewrite/plan/value_json.h"

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

// Attributes of the format, then the shapes, then other private ones.
int rank_of(std::string_view key) {
  if (!key.starts_with('_')) return 0;
  return key == "_output_shapes" ? 1 : 2;
}

class ChangesPrinter {
 public:
  ChangesPrinter(const Graph& graph, const GraphPlan& plan) : graph_(graph), plan_(plan) {
    for (const AttributeChange& change : plan.attributes) by_op_[change.op].push_back(&change);
  }

  [[nodiscard]] Json added() {
    Json list = Json::array();
    for (std::uint32_t i = 0; i < plan_.added.size(); ++i) {
      const AddedOp& op = plan_.added[i];
      Json inputs = Json::array();
      for (const TensorId input : plan_.inputs(op)) inputs.push_back(tensor(input));
      Json controls = Json::array();
      for (const OpId after : plan_.control_inputs(op)) controls.push_back(name(after));
      Json entry = object_with_room(7);
      append(entry, "name", op.name);
      append(entry, "op", op.type);
      if (op.copy_of.valid()) append(entry, "copy_of", name(op.copy_of));
      append(entry, "device", op.device);
      append(entry, "inputs", std::move(inputs));
      append(entry, "control_inputs", std::move(controls));
      append(entry, "attrs",
             op.copy_of.valid() ? changed_attributes(OpId{graph_.op_count() + i})
                                : attributes(op.attributes));
      list.push_back(std::move(entry));
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

  [[nodiscard]] Json control(const std::vector<ControlEdge>& edges) const {
    std::map<std::string_view, std::vector<std::string_view>> by_op;
    for (const ControlEdge& edge : edges) by_op[name(edge.op)].push_back(name(edge.after));
    Json list = Json::array();
    for (const auto& [op, after] : by_op) list.push_back({{"op", op}, {"after", after}});
    return list;
  }
  [[nodiscard]] Json removed_control() const {
    std::vector<ControlEdge> edges = plan_.removed_control;
    std::sort(edges.begin(), edges.end(), [&](const ControlEdge& a, const ControlEdge& b) {
      return name(a.after) < name(b.after);
    });
    return control(edges);
  }

  [[nodiscard]] Json sorted_names(const std::vector<OpId>& ops) const {
    std::vector<std::string_view> names;
    for (const OpId op : ops) names.push_back(name(op));
    std::sort(names.begin(), names.end());
    return names;
  }

  [[nodiscard]] Json devices() const {
    std::map<std::string_view, std::string_view> by_op;
    for (const DeviceChange& change : plan_.devices) by_op[name(change.op)] = change.device;
    Json object = object_with_room(by_op.size());
    for (const auto& [op, device] : by_op) append(object, std::string(op), device);
    return object;
  }

  // Of ops of the graph; changes to copies stand beside the copies.
  [[nodiscard]] Json attribute_changes() {
    std::map<std::string_view, OpId> ops;
    for (const auto& [op, changes] : by_op_) {
      if (op.index() < graph_.op_count()) ops.emplace(name(op), op);
    }
    Json object = object_with_room(ops.size());
    for (const auto& [op, id] : ops) append(object, std::string(op), changed_attributes(id));
    return object;
  }

 private:
  using Attributes = std::vector<std::pair<std::string_view, std::optional<std::string_view>>>;

  [[nodiscard]] std::string_view name(OpId op) const { return plan_.name(graph_, op); }
  [[nodiscard]] std::string tensor(TensorId id) const { return plan_.tensor_name(graph_, id); }

  Json changed_attributes(OpId op) {
    Attributes list;
    if (const auto changes = by_op_.find(op); changes != by_op_.end()) {
      for (const AttributeChange* change : changes->second) {
        list.emplace_back(change->key, change->value);
      }
    }
    return object_of(std::move(list));
  }
  Json attributes(std::string_view encoded) {
    Attributes list;
    graph_.codec().for_each_attribute(encoded, [&](std::string_view key, std::string_view value) {
      list.emplace_back(key, value);
    });
    return object_of(std::move(list));
  }
  Json object_of(Attributes list) {
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return std::pair(rank_of(a.first), a.first) < std::pair(rank_of(b.first), b.first);
    });
    Json object = object_with_room(list.size());
    for (const auto& [key, value] : list) {
      object[std::string(key)] = value ? json_of(*value) : Json(nullptr);  // a key may come twice
    }
    return object;
  }
  // Most added ops have one of a few values. The plan holds the text of the key.
  const Json& json_of(std::string_view value) {
    auto known = values_.find(value);
    if (known == values_.end()) {
      known = values_.emplace(value, attribute_json(graph_.codec(), value)).first;
    }
    return known->second;
  }

  const Graph& graph_;
  const GraphPlan& plan_;
  std::map<OpId, std::vector<const AttributeChange*>> by_op_;
  std::unordered_map<std::string_view, Json> values_;
};

}  // namespace

Json plan_head_json(const Graph& graph, const PlanHead& head, const std::string& kind) {
  constexpr std::size_t kMostMembers = 32;  // of any kind of plan
  Json json = object_with_room(kMostMembers);
  json["schema"] = "tideline.plan/1";
  json["tool"] = head.tool;
  json["kind"] = kind;
  json["graph"] = {{"file", head.file}, {"ops", graph.op_count()}, {"digest", head.digest}};
  if (!head.function.empty()) json["graph"]["function"] = head.function;
  return json;
}

void add_changes_json(const Graph& graph, const GraphPlan& plan, Json& json) {
  ChangesPrinter printer(graph, plan);
  json["added"] = printer.added();
  json["rerouted"] = printer.rerouted();
  json["control"] = printer.control(plan.control);
  if (!plan.removed_control.empty()) json["removed_control"] = printer.removed_control();
  if (!plan.removed.empty()) json["removed"] = printer.sorted_names(plan.removed);
  if (!plan.emptied.empty()) json["emptied"] = printer.sorted_names(plan.emptied);
  if (!plan.devices.empty()) json["devices"] = printer.devices();
  Json attributes = printer.attribute_changes();
  if (!attributes.empty()) json["attributes"] = std::move(attributes);
}

std::string plan_text_of(const Json& json) {
  // Names are UTF-8 (checked on reading); whatever else slips through is replaced, not thrown at.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string plan_json(const Graph& graph, const GraphPlan& plan, const PlanHead& head,
                      const std::string& kind) {
  Json json = plan_head_json(graph, head, kind);
  json["options"] = Json::object();
  add_changes_json(graph, plan, json);
  return plan_text_of(json);
}

std::string chain_json(const Graph& graph, const std::vector<std::string>& plans,
                       const PlanHead& head) {
  Json json = plan_head_json(graph, head, "chain");
  json["plans"] = Json::array();
  for (const std::string& plan : plans) json["plans"].push_back(Json::parse(plan, nullptr, false));
  return plan_text_of(json);
}

}  // namespace tideline
