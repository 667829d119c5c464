// Tested by unit/rewrite/plan_json_reader_test.cc, property/plan_property.cc and the golden case
// plan_files.
#include "core/rewrite/plan/plan_json_reader.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/graph/plan_changes.h"
#include "core/rewrite/plan/attribute_json.h"
#include "core/rewrite/plan/cycle_json.h"
#include "core/rewrite/plan/members_json.h"

namespace tideline {
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = "tideline.plan/1";

class ChangesReader {
 public:
  ChangesReader(const Graph& graph, const json& root) : graph_(graph), root_(root) {}

  Result<GraphPlan> read() {
    // Names first: an added op may read one that is added after it.
    TIDELINE_RETURN_IF_ERROR(each("added", [this](const json& entry) { return name(entry); }));
    TIDELINE_RETURN_IF_ERROR(each("added", [this](const json& entry) { return add(entry); }));
    TIDELINE_RETURN_IF_ERROR(
        each("rerouted", [this](const json& entry) { return reroute(entry); }));
    TIDELINE_RETURN_IF_ERROR(
        each("control", [this](const json& entry) { return edges(entry, plan_.control); }));
    TIDELINE_RETURN_IF_ERROR(each(
        "removed_control",
        [this](const json& entry) { return edges(entry, plan_.removed_control); }, kOptional));
    TIDELINE_RETURN_IF_ERROR(each(
        "removed", [this](const json& entry) { return named(entry, plan_.removed); }, kOptional));
    TIDELINE_RETURN_IF_ERROR(each(
        "emptied", [this](const json& entry) { return named(entry, plan_.emptied); }, kOptional));
    TIDELINE_RETURN_IF_ERROR(devices());
    TIDELINE_RETURN_IF_ERROR(attributes());
    TIDELINE_RETURN_IF_ERROR(PlanChanges::check(graph_, plan_));
    return std::move(plan_);
  }

 private:
  static constexpr bool kOptional = true;

  // Errors of an element say which one it is.
  template <typename Visit>
  Status each(const char* key, const Visit& visit, bool optional = false) {
    const json& list = member(root_, key);
    if (optional && list.is_null()) return {};
    if (!list.is_array()) return fail(Code::kCorrupt, "'{}' is no list", key);
    std::size_t at = 0;
    for (const json& entry : list) {
      if (Status status = visit(entry); !status) {
        return tl::unexpected(
            with_context(std::move(status).error(), fmt::format("{}[{}]", key, at)));
      }
      ++at;
    }
    return {};
  }

  Status name(const json& entry) {
    std::string name = text(entry, "name");
    if (name.empty()) return fail(Code::kCorrupt, "'name' is missing; expected that of the new op");
    if (graph_.find(name).valid()) {
      return fail(Code::kInvalidArgument, "op '{}': the graph has an op of that name",
                  printable(name));
    }
    const OpId id{graph_.op_count() + static_cast<std::uint32_t>(added_.size())};
    if (!added_.emplace(std::move(name), id).second) {
      return fail(Code::kInvalidArgument, "op '{}' is added twice", printable(text(entry, "name")));
    }
    return {};
  }

  Status add(const json& entry) {
    const std::string name = text(entry, "name");
    if (Status status = add_named(entry, name); !status) {
      return tl::unexpected(
          with_context(std::move(status).error(), fmt::format("op '{}'", printable(name))));
    }
    return {};
  }
  Status add_named(const json& entry, const std::string& name) {
    const std::string device = text(entry, "device");
    std::vector<TensorId> inputs;
    TIDELINE_RETURN_IF_ERROR(texts(entry, "inputs", [&](const std::string& input) -> Status {
      TIDELINE_TRY(const TensorId read, tensor(input));
      inputs.push_back(read);
      return {};
    }));
    std::vector<OpId> controls;
    TIDELINE_RETURN_IF_ERROR(
        texts(entry, "control_inputs", [&](const std::string& after) -> Status {
          TIDELINE_TRY(const OpId before, op(after));
          controls.push_back(before);
          return {};
        }));
    const std::string type = text(entry, "op");
    if (!member(entry, "copy_of").is_null()) {
      TIDELINE_TRY(const OpId of, original(text(entry, "copy_of")));
      if (!type.empty() && type != graph_.type(of)) {
        return fail(Code::kInvalidArgument, "'op' is {}, but '{}', of which it is a copy, is a {}",
                    printable(type), graph_.name(of), graph_.type(of));
      }
      const OpId copy = plan_.add_copy(graph_, {of, name, device, inputs, controls});
      return attribute_changes(copy, member(entry, "attrs"));
    }
    if (type.empty()) return fail(Code::kCorrupt, "'op' is missing; expected the type of the op");
    NewOp added{name, type, device, std::move(inputs), std::move(controls), {}};
    std::vector<std::string> values;  // that the attributes are views of
    const json& attrs = member(entry, "attrs");
    values.reserve(attrs.size());
    TIDELINE_RETURN_IF_ERROR(each_attribute(attrs, [&](const std::string& key, const json& value) {
      if (value.is_null()) return Status();
      return with_value(key, value, [&](std::string encoded) {
        AttrValue held;
        held.encoded = values.emplace_back(std::move(encoded));
        added.attributes.emplace_back(key, std::move(held));
      });
    }));
    plan_.add_op(graph_, added);
    return {};
  }

  template <typename Visit>
  Status texts(const json& entry, const char* key, const Visit& visit) {
    const json& list = member(entry, key);
    if (list.is_null()) return {};
    if (!list.is_array()) return fail(Code::kCorrupt, "'{}' is no list", key);
    for (const json& element : list) {
      if (!element.is_string()) return fail(Code::kCorrupt, "'{}' holds what is no name", key);
      if (Status status = visit(element.get_ref<const std::string&>()); !status) {
        return tl::unexpected(with_context(std::move(status).error(), fmt::format("'{}'", key)));
      }
    }
    return {};
  }

  template <typename Visit>
  Status each_attribute(const json& attrs, const Visit& visit) {
    if (attrs.is_null()) return {};
    if (!attrs.is_object()) return fail(Code::kCorrupt, "the attributes are no object");
    for (const auto& [key, value] : attrs.items()) {
      TIDELINE_RETURN_IF_ERROR(visit(key, value));
    }
    return {};
  }
  template <typename Use>
  Status with_value(const std::string& key, const json& value, const Use& use) {
    auto encoded = attribute_from_json(graph_.codec(), value);
    if (!encoded) {
      return tl::unexpected(
          with_context(std::move(encoded).error(), fmt::format("attribute '{}'", printable(key))));
    }
    use(*std::move(encoded));
    return {};
  }
  Status attribute_changes(OpId op, const json& attrs) {
    return each_attribute(attrs, [&](const std::string& key, const json& value) -> Status {
      if (value.is_null()) {
        plan_.remove_attribute(op, key);
        return {};
      }
      return with_value(key, value, [&](const std::string& encoded) {
        plan_.set_encoded_attribute(op, key, encoded);
      });
    });
  }

  Status reroute(const json& entry) {
    Reroute change;
    TIDELINE_TRY(change.op, op(text(entry, "op")));
    TIDELINE_TRY(change.from, tensor(text(entry, "from")));
    TIDELINE_TRY(change.to, tensor(text(entry, "to")));
    const json& slot = member(entry, "slot");
    const bool is_original = change.op.value < graph_.op_count();
    const std::size_t inputs = is_original ? graph_.inputs(change.op).size() : 0;
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
    plan_.rerouted.push_back(change);
    return {};
  }

  Status edges(const json& entry, std::vector<ControlEdge>& list) {
    TIDELINE_TRY(const OpId waiting, op(text(entry, "op")));
    if (!member(entry, "after").is_array()) return fail(Code::kCorrupt, "'after' is no list");
    return texts(entry, "after", [&](const std::string& name) -> Status {
      TIDELINE_TRY(const OpId before, op(name));
      list.push_back({waiting, before});
      return {};
    });
  }

  Status named(const json& entry, std::vector<OpId>& list) {
    if (!entry.is_string()) return fail(Code::kCorrupt, "expected the name of an op");
    TIDELINE_TRY(const OpId op, original(entry.get_ref<const std::string&>()));
    list.push_back(op);
    return {};
  }

  // Calls `visit` for the members of the object `key`, which are named after ops of the graph.
  template <typename Visit>
  Status each_op(const char* key, const Visit& visit) {
    const json& object = member(root_, key);
    if (object.is_null()) return {};
    if (!object.is_object()) {
      return fail(Code::kCorrupt, "'{}' is no object with the names of ops", key);
    }
    for (const auto& [name, value] : object.items()) {
      const auto op = original(name);
      Status status = op ? visit(*op, value) : Status(tl::unexpected(op.error()));
      if (status) continue;
      return tl::unexpected(
          with_context(std::move(status).error(), fmt::format("{}['{}']", key, printable(name))));
    }
    return {};
  }
  Status devices() {
    return each_op("devices", [this](OpId op, const json& device) -> Status {
      if (!device.is_string()) return fail(Code::kCorrupt, "expected a device");
      plan_.set_device(op, device.get_ref<const std::string&>());
      return {};
    });
  }
  Status attributes() {
    return each_op("attributes", [this](OpId op, const json& attrs) -> Status {
      if (!attrs.is_object()) return fail(Code::kCorrupt, "expected an object with attributes");
      return attribute_changes(op, attrs);
    });
  }

  [[nodiscard]] Result<OpId> original(const std::string& name) const {
    const OpId op = graph_.find(name);
    if (op.valid()) return op;
    return fail(Code::kNotFound, "op '{}' is not in the graph{}", printable(name),
                nearest_ops(graph_, name));
  }
  [[nodiscard]] Result<OpId> op(const std::string& name) const {
    const OpId original = graph_.find(name);
    if (original.valid()) return original;
    const auto added = added_.find(name);
    if (added != added_.end()) return added->second;
    return fail(Code::kNotFound, "op '{}' is neither in the graph nor added{}", printable(name),
                nearest_ops(graph_, name));
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
  GraphPlan plan_;
  std::unordered_map<std::string, OpId> added_;
};

Status check_schema(const json& plan) {
  const std::string schema = text(plan, "schema");
  if (schema.empty()) return fail(Code::kCorrupt, "is no plan; expected schema {}", kSchema);
  // What comes behind "1." is for readers that know it.
  if (schema != kSchema && !schema.starts_with(std::string(kSchema) + ".")) {
    return fail(Code::kUnsupported, "schema '{}'; expected {}", printable(schema), kSchema);
  }
  if (text(plan, "kind").empty()) return fail(Code::kCorrupt, "'kind' is missing");
  return {};
}

}  // namespace

struct PlanFile::Parsed {
  json root;
  std::vector<const json*> plans;
};

PlanFile::PlanFile(std::string path, std::unique_ptr<Parsed> parsed)
    : path_(std::move(path)), parsed_(std::move(parsed)) {}
PlanFile::PlanFile(PlanFile&&) noexcept = default;
PlanFile& PlanFile::operator=(PlanFile&&) noexcept = default;
PlanFile::~PlanFile() = default;

Result<PlanFile> PlanFile::parse(const std::string& path, std::string_view content) {
  auto parsed = std::make_unique<Parsed>();
  parsed->root = json::parse(content, nullptr, false);
  if (parsed->root.is_discarded()) return fail(Code::kCorrupt, "{}: is no JSON", path);
  PlanFile file(path, std::move(parsed));
  if (Status status = file.read_heads(); !status) {
    return tl::unexpected(with_context(std::move(status).error(), path));
  }
  return file;
}

Status PlanFile::read_heads() {
  const json& root = parsed_->root;
  TIDELINE_RETURN_IF_ERROR(check_schema(root));
  kind_ = text(root, "kind");
  if (kind_ != "chain") {
    parsed_->plans.push_back(&root);
    plans_.push_back(
        {"", text(member(root, "graph"), "digest"), text(member(root, "graph"), "function")});
    return {};
  }
  const json& list = member(root, "plans");
  if (!list.is_array() || list.empty()) {
    return fail(Code::kCorrupt, "'plans' is no list of plans");
  }
  for (const json& plan : list) {
    const std::string place = fmt::format("plans[{}]", plans_.size());
    if (Status status = check_schema(plan); !status) {
      return tl::unexpected(with_context(std::move(status).error(), place));
    }
    if (text(plan, "kind") == "chain") {
      return fail(Code::kUnsupported, "{}: a chain in a chain; expected its plans instead", place);
    }
    parsed_->plans.push_back(&plan);
    plans_.push_back({place + ": ", text(member(plan, "graph"), "digest"),
                      text(member(plan, "graph"), "function")});
  }
  return {};
}

Status PlanFile::check_graph(std::size_t index, std::string_view digest, std::string_view function,
                             std::string_view graph) const {
  const Plan& plan = plans_[index];
  if (plan.digest == digest && plan.function == function) return {};
  return fail(Code::kInvalidArgument, "{}: {}is a plan for another graph than {}", path_,
              plan.place, graph);
}

Result<GraphPlan> PlanFile::read(std::size_t index, const Graph& graph) const {
  auto plan = ChangesReader(graph, *parsed_->plans[index]).read();
  if (plan) return plan;
  Error error = std::move(plan).error();
  error.message = plans_[index].place + error.message;
  return tl::unexpected(with_context(std::move(error), path_));
}

std::string PlanFile::written_digest() const {
  return text(member(*parsed_->plans.back(), "written"), "digest");
}

Result<std::optional<Cycle>> PlanFile::cycle() const {
  std::optional<Cycle> found;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (text(*parsed_->plans[i], "kind") != "sections") continue;
    if (found) return fail(Code::kUnsupported, "{}: has two plans of sections", path_);
    auto cycle = read_cycle(*parsed_->plans[i]);
    if (!cycle) {
      Error error = std::move(cycle).error();
      error.message = plans_[i].place + error.message;
      return tl::unexpected(with_context(std::move(error), path_));
    }
    found = *std::move(cycle);
  }
  return found;
}

}  // namespace tideline
