#include "core/rewrite/plan_json_reader.h"

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace tideline {
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = "tideline.plan/1";

// A member of an object; null when it is absent or the object is none.
const json& member(const json& object, const char* key) {
  static const json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::string text(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

class PlanReader {
 public:
  PlanReader(const Graph& graph, const json& root) : graph_(graph), root_(root) {}

  Result<ReadPlan> read() {
    const std::string schema = text(root_, "schema");
    if (schema.empty()) return fail(Code::kCorrupt, "is no plan; expected schema {}", kSchema);
    if (schema != kSchema) {
      return fail(Code::kUnsupported, "schema '{}'; expected {}", printable(schema), kSchema);
    }
    const std::string kind = text(root_, "kind");
    if (kind != "lms") {
      return fail(Code::kUnsupported, "a plan of kind '{}'; expected lms", printable(kind));
    }
    result_.digest = text(member(root_, "graph"), "digest");
    result_.function = text(member(root_, "graph"), "function");
    TIDELINE_RETURN_IF_ERROR(each("added", [this](const json& entry) { return add(entry); }));
    TIDELINE_RETURN_IF_ERROR(
        each("rerouted", [this](const json& entry) { return reroute(entry); }));
    TIDELINE_RETURN_IF_ERROR(each("control", [this](const json& entry) { return wait(entry); }));
    return std::move(result_);
  }

 private:
  template <typename Visit>
  Status each(const char* key, const Visit& visit) {
    const json& list = member(root_, key);
    if (!list.is_array()) return fail(Code::kCorrupt, "'{}' is no list", key);
    for (const json& entry : list) TIDELINE_RETURN_IF_ERROR(visit(entry));
    return {};
  }

  Status add(const json& entry) {
    PlannedCopy copy;
    copy.name = text(entry, "name");
    copy.device = text(entry, "device");
    const json& inputs = member(entry, "inputs");
    const json& control = member(entry, "control_inputs");
    const bool waits = control.is_array() && !control.empty();
    if (text(entry, "op") != "Identity" || !inputs.is_array() || inputs.size() != 1 ||
        !inputs[0].is_string() || waits) {
      return fail(Code::kUnsupported,
                  "added op '{}': expected an Identity with one input, as copies are",
                  printable(copy.name));
    }
    TIDELINE_TRY(copy.input, tensor(inputs[0].get<std::string>()));
    const json& attrs = member(entry, "attrs");
    const auto type = parse_data_type(text(attrs, "T"));
    if (!type) {
      return fail(Code::kCorrupt, "added op '{}': attribute T is no type", printable(copy.name));
    }
    copy.type = *type;
    copy.keep_from_grappler = member(attrs, "_grappler_do_not_remove") == json(true);
    TIDELINE_TRY(copy.shape, shape(member(attrs, "_output_shapes")));
    added_.emplace(copy.name, OpId{graph_.op_count() + static_cast<std::uint32_t>(added_.size())});
    result_.plan.added.push_back(std::move(copy));
    return {};
  }

  // The one shape of a list of output shapes: null, or dims that may be null.
  static Result<std::optional<Shape>> shape(const json& shapes) {
    if (!shapes.is_array() || shapes.size() != 1) return std::optional<Shape>();
    if (!shapes[0].is_array()) return std::optional(Shape::unknown());
    std::vector<std::int64_t> dims;
    for (const json& dim : shapes[0]) {
      const bool known = dim.is_number_integer();
      if (known && dim.get<std::int64_t>() < 0) {
        return fail(Code::kCorrupt, "a dim below 0 among the output shapes");
      }
      dims.push_back(known ? dim.get<std::int64_t>() : kUnknownDim);
    }
    return std::optional(Shape::of(std::move(dims)));
  }

  Status reroute(const json& entry) {
    Reroute change;
    TIDELINE_TRY(change.op, op(text(entry, "op")));
    TIDELINE_TRY(change.from, tensor(text(entry, "from")));
    TIDELINE_TRY(change.to, tensor(text(entry, "to")));
    const json& slot = member(entry, "slot");
    const bool original = change.op.value < graph_.op_count();
    const std::size_t inputs = original ? graph_.inputs(change.op).size() : 0;
    if (!slot.is_number_unsigned() || slot.get<std::uint64_t>() >= inputs) {
      return fail(Code::kNotFound, "op '{}' has no such input to reroute",
                  printable(text(entry, "op")));
    }
    change.slot = slot.get<std::uint32_t>();
    if (graph_.inputs(change.op)[change.slot] != change.from) {
      return fail(Code::kInvalidArgument,
                  "input {} of op '{}' reads '{}', not '{}'; the plan is for another graph",
                  change.slot, graph_.name(change.op),
                  graph_.tensor_name(graph_.inputs(change.op)[change.slot]),
                  printable(text(entry, "from")));
    }
    result_.plan.rerouted.push_back(change);
    return {};
  }

  Status wait(const json& entry) {
    TIDELINE_TRY(const OpId waiting, op(text(entry, "op")));
    const json& after = member(entry, "after");
    if (!after.is_array()) return fail(Code::kCorrupt, "'after' is no list");
    for (const json& name : after) {
      TIDELINE_TRY(const OpId before, op(name.is_string() ? name.get<std::string>() : ""));
      result_.plan.control.push_back({waiting, before});
    }
    return {};
  }

  [[nodiscard]] Result<OpId> op(const std::string& name) const {
    const OpId original = graph_.find(name);
    if (original.valid()) return original;
    const auto added = added_.find(name);
    if (added != added_.end()) return added->second;
    return fail(Code::kNotFound, "op '{}' is neither in the graph nor added", printable(name));
  }

  [[nodiscard]] Result<TensorId> tensor(const std::string& name) const {
    const std::size_t colon = name.rfind(':');
    std::uint32_t slot = 0;
    if (colon == std::string::npos) {
      return fail(Code::kCorrupt, "tensor '{}'; expected op:slot", printable(name));
    }
    const auto [end, error] =
        std::from_chars(name.data() + colon + 1, name.data() + name.size(), slot);
    if (error != std::errc() || end != name.data() + name.size()) {
      return fail(Code::kCorrupt, "tensor '{}'; expected op:slot", printable(name));
    }
    TIDELINE_TRY(const OpId producer, op(name.substr(0, colon)));
    return TensorId{producer, slot};
  }

  const Graph& graph_;
  const json& root_;
  ReadPlan result_;
  std::map<std::string, OpId> added_;
};

}  // namespace

Result<ReadPlan> read_plan(const std::string& path, std::string_view content, const Graph& graph) {
  const json root = json::parse(content, nullptr, false);
  if (root.is_discarded()) return fail(Code::kCorrupt, "{}: is no JSON", path);
  auto plan = PlanReader(graph, root).read();
  if (!plan) return tl::unexpected(with_context(std::move(plan).error(), path));
  return plan;
}

}  // namespace tideline
