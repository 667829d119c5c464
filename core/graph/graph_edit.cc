// Tested by unit/graph/graph_edit_test.cc and property/plan_property.cc.
#include "core/graph/graph_edit.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/text.h"
#include "core/graph/verify.h"

namespace tideline {
namespace {

// The ops that an op waits for, after control edges were added and then removed. The ones that it
// had come first, in their order; `kept` lists them.
struct FinalControls {
  std::vector<OpId> ops;
  std::vector<std::size_t> kept;  // which of the listed ones are left
};

FinalControls final_controls(std::span<const OpId> listed, const OpChanges& changes) {
  FinalControls result;
  const auto is_removed = [&](OpId after) {
    const auto& removed = changes.removed_control;
    return std::binary_search(
        removed.begin(), removed.end(), ControlEdge{{}, after},
        [](const ControlEdge& a, const ControlEdge& b) { return a.after < b.after; });
  };
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (is_removed(listed[i])) continue;
    result.ops.push_back(listed[i]);
    result.kept.push_back(i);
  }
  constexpr std::size_t kFewEdges = 16;
  if (listed.size() + changes.control.size() <= kFewEdges) {
    const auto among = [](std::span<const OpId> ops, OpId op) {
      return std::find(ops.begin(), ops.end(), op) != ops.end();
    };
    for (const ControlEdge& edge : changes.control) {
      if (!among(listed, edge.after) && !among(result.ops, edge.after)) {
        result.ops.push_back(edge.after);
      }
    }
    return result;
  }
  std::unordered_set<std::uint32_t> present;
  for (const OpId op : listed) present.insert(op.value);
  for (const ControlEdge& edge : changes.control) {
    if (present.insert(edge.after.value).second) result.ops.push_back(edge.after);
  }
  return result;
}

std::vector<NodeChanges::Attribute> attributes_of(const OpChanges& changes) {
  std::vector<NodeChanges::Attribute> attributes;
  for (const AttributeChange& change : changes.attributes) {
    attributes.emplace_back(change.key, change.value);
  }
  return attributes;
}

}  // namespace

std::optional<OpSignature> GraphEdit::signature_of(std::string_view type) const {
  std::optional<OpSignature> signature = builtin_signature(type);
  if (signature || declared_ == nullptr) return signature;
  const auto found = declared_->find(type);
  return found == declared_->end() ? std::nullopt : std::optional(found->second);
}

Status GraphEdit::still_there(OpId op, OpId reader) const {
  if (new_id(op).valid()) return {};
  return fail(Code::kInvalidArgument, "op '{}' needs op '{}', which is removed",
              printable(plan_->name(*graph_, reader)), printable(graph_->name(op)));
}

// An output of an added op in a function's body.
Result<std::string> GraphEdit::spelled_output(const AddedOp& op, std::uint32_t slot) const {
  const bool is_copy = op.copy_of.valid();
  std::optional<OpSignature> signature;
  if (!is_copy) {
    signature = signature_of(op.type);
  } else if (const OpSignature* known = graph_->signature(op.copy_of)) {
    signature = *known;
  }
  std::optional<std::string> text;
  if (signature) {
    const std::string_view node = is_copy ? graph_->encoded(op.copy_of) : op.attributes;
    const auto outputs = output_arguments(*signature, graph_->codec(), node);
    if (outputs) text = spell(op.name, *outputs, slot);
  } else if (is_copy) {
    const auto& named = graph_->function_syntax_->named_by_readers;
    const auto outputs = named.find(op.copy_of);
    if (outputs != named.end()) text = spell(op.name, outputs->second, slot);
  }
  if (text) return *std::move(text);
  return fail(Code::kInvalidArgument, "op '{}': output {} has no name to be read under",
              printable(op.name), slot);
}

Result<std::string> GraphEdit::spelled(TensorId tensor) const {
  if (is_original(tensor.op)) return graph_->input_text(tensor);
  const AddedOp& op = added(tensor.op);
  if (graph_->is_function_body()) return spelled_output(op, tensor.slot);
  return tensor.slot == 0 ? std::string(op.name) : fmt::format("{}:{}", op.name, tensor.slot);
}

void GraphEdit::find_new_ids(const PlanChanges& changes) {
  if (!changes.removes_ops()) return;
  const std::size_t total = graph_->op_count() + plan_->added.size();
  new_ids_.reserve(total);
  std::uint32_t next = 0;
  for (std::uint32_t op = 0; op < total; ++op) {
    new_ids_.push_back(changes.is_removed(OpId{op}) ? OpId::kNone : next++);
  }
}

void GraphEdit::begin(Graph& graph) const {
  const Graph& old = *graph_;
  graph.codec_ = old.codec_;
  graph.producer_ = old.producer_;
  graph.keep_alive_ = old.keep_alive_;
  graph.keep_alive_.push_back(arena_);
  graph.types_ = old.types_;
  graph.devices_ = old.devices_;
  graph.signatures_ = old.signatures_;
  if (new_ids_.empty()) {
    graph.names_ = old.names_;
  } else {
    graph.names_.reserve(old.op_count() + plan_->added.size());
  }
  set_function_syntax(graph);
  graph.ops_.reserve(old.op_count() + plan_->added.size());
  graph.inputs_.reserve(old.inputs_.size() + plan_->added_input_count());
  graph.controls_.reserve(old.controls_.size() + plan_->control.size() +
                          plan_->added_control_count());
}

// Outputs of an op that readers named have the same names in its copies.
void GraphEdit::set_function_syntax(Graph& graph) const {
  graph.function_syntax_ = graph_->function_syntax_;
  if (!graph_->is_function_body() || graph_->function_syntax_->named_by_readers.empty()) return;
  auto syntax = std::make_shared<FunctionSyntax>();
  const auto& named = graph_->function_syntax_->named_by_readers;
  for (const auto& [op, outputs] : named) {
    if (new_id(op).valid()) syntax->named_by_readers[new_id(op)] = outputs;
  }
  for (std::uint32_t i = 0; i < plan_->added.size(); ++i) {
    const auto outputs = named.find(plan_->added[i].copy_of);
    if (outputs == named.end()) continue;
    syntax->named_by_readers[new_id(OpId{graph_->op_count() + i})] = outputs->second;
  }
  graph.function_syntax_ = std::move(syntax);
}

Status GraphEdit::append_inputs(Graph& graph, Graph::OpRecord& record, OpId op,
                                const OpChanges& changes) {
  const bool original = is_original(op);
  auto inputs = original ? graph_->inputs(op) : plan_->inputs(added(op));
  if (changes.is_emptied) inputs = {};
  const auto listed = original ? graph_->control_inputs(op) : plan_->control_inputs(added(op));
  record.first_input = static_cast<std::uint32_t>(graph.inputs_.size());
  record.input_count = static_cast<std::uint32_t>(inputs.size());
  record.first_control = static_cast<std::uint32_t>(graph.controls_.size());
  graph.inputs_.insert(graph.inputs_.end(), inputs.begin(), inputs.end());
  for (const Reroute& change : changes.rerouted) {
    graph.inputs_[record.first_input + change.slot] = change.to;
  }
  if (changes.control.empty() && changes.removed_control.empty()) {
    graph.controls_.insert(graph.controls_.end(), listed.begin(), listed.end());
  } else {
    const std::vector<OpId> controls = final_controls(listed, changes).ops;
    graph.controls_.insert(graph.controls_.end(), controls.begin(), controls.end());
  }
  record.control_count = static_cast<std::uint32_t>(graph.controls_.size()) - record.first_control;
  if (new_ids_.empty()) return {};
  for (std::size_t i = record.first_input; i < graph.inputs_.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(still_there(graph.inputs_[i].op, op));
    graph.inputs_[i].op = new_id(graph.inputs_[i].op);
  }
  for (std::size_t i = record.first_control; i < graph.controls_.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(still_there(graph.controls_[i], op));
    graph.controls_[i] = new_id(graph.controls_[i]);
  }
  return {};
}

// The input list as it is written. An op of the graph keeps its own spelling where nothing changes.
Result<std::vector<std::string>> GraphEdit::input_texts(OpId op, const OpChanges& changes) const {
  std::vector<std::string> texts;
  const auto add_waiting = [&](OpId after) {
    texts.push_back(fmt::format("^{}", plan_->name(*graph_, after)));
  };
  if (!is_original(op)) {
    for (const TensorId input : plan_->inputs(added(op))) {
      TIDELINE_TRY(std::string text, spelled(input));
      texts.push_back(std::move(text));
    }
    const FinalControls controls = final_controls(plan_->control_inputs(added(op)), changes);
    for (const OpId after : controls.ops) add_waiting(after);
    return texts;
  }
  const std::vector<std::string> old = graph_->codec().input_texts(graph_->encoded(op));
  const auto input_end = old.begin() + static_cast<std::ptrdiff_t>(graph_->inputs(op).size());
  if (!changes.is_emptied) texts.assign(old.begin(), input_end);
  for (const Reroute& change : changes.rerouted) {
    TIDELINE_TRY(texts[change.slot], spelled(change.to));
  }
  const FinalControls controls = final_controls(graph_->control_inputs(op), changes);
  for (const std::size_t kept : controls.kept) {
    texts.push_back(input_end[static_cast<std::ptrdiff_t>(kept)]);
  }
  for (std::size_t i = controls.kept.size(); i < controls.ops.size(); ++i) {
    add_waiting(controls.ops[i]);
  }
  return texts;
}

std::uint32_t GraphEdit::intern(std::string_view text, std::vector<std::string_view>& list,
                                Interned& last) {
  const bool is_same = last.text.data() == text.data() && last.text.size() == text.size();
  if (is_same && last.id != OpId::kNone) return last.id;
  auto known = std::find(list.begin(), list.end(), text);
  if (known == list.end()) known = list.insert(list.end(), arena_->add(text));
  last = {text, static_cast<std::uint32_t>(known - list.begin())};
  return last.id;
}

std::string_view GraphEdit::keep(Graph::OpRecord& record, std::string_view encoded) {
  const std::string_view kept = arena_->add(encoded);
  record.encoded_data = kept.data();
  record.encoded_size = static_cast<std::uint32_t>(kept.size());
  return kept;
}

Status GraphEdit::append_original(Graph& graph, OpId op, const OpChanges& changes) {
  Graph::OpRecord record = graph_->record(op);
  TIDELINE_RETURN_IF_ERROR(append_inputs(graph, record, op, changes));
  if (changes.is_emptied) {
    TIDELINE_TRY(const std::vector<std::string> texts, input_texts(op, changes));
    const std::string_view device =
        changes.devices.empty() ? graph_->device(op) : changes.devices.front().device;
    keep(record, graph_->codec().encode(graph_->name(op), "NoOp", device, texts, Attributes()));
    record.type = intern("NoOp", graph.types_, last_type_);
    record.device = intern(device, graph.devices_, last_device_);
  } else if (changes.has_inputs() || changes.has_fields()) {
    NodeChanges node;
    std::vector<std::string> texts;
    if (changes.has_inputs()) {
      TIDELINE_TRY(texts, input_texts(op, changes));
      node.inputs = &texts;
    }
    if (!changes.devices.empty()) {
      node.device = changes.devices.front().device;
      record.device = intern(*node.device, graph.devices_, last_device_);
    }
    const std::vector<NodeChanges::Attribute> attributes = attributes_of(changes);
    node.attributes = attributes;
    const std::string_view encoded = graph_->encoded(op);
    keep(record, changes.has_fields() ? graph_->codec().with_changes(encoded, node)
                                      : graph_->codec().with_inputs(encoded, texts));
  }
  graph.ops_.push_back(record);
  return {};
}

Status GraphEdit::append_added(Graph& graph, OpId id, const OpChanges& changes) {
  const AddedOp& op = added(id);
  Graph::OpRecord record = {};
  TIDELINE_RETURN_IF_ERROR(append_inputs(graph, record, id, changes));
  TIDELINE_TRY(const std::vector<std::string> texts, input_texts(id, changes));
  if (op.copy_of.valid()) {
    const std::vector<NodeChanges::Attribute> attributes = attributes_of(changes);
    keep(record, graph_->codec().with_changes(graph_->encoded(op.copy_of),
                                              {op.name, op.device, &texts, attributes}));
    record.type = graph_->type_id(op.copy_of);
  } else {
    keep(record, graph_->codec().encode(op.name, op.type, op.device, texts, op.attributes));
    record.type = intern(op.type, graph.types_, last_type_);
  }
  const std::string_view name = arena_->add(op.name);
  record.name_data = name.data();
  record.name_size = static_cast<std::uint32_t>(name.size());
  record.device = intern(op.device, graph.devices_, last_device_);
  graph.ops_.push_back(record);
  return {};
}

// A name of an op that is removed stays taken: in a plan, names say which op is meant.
Status GraphEdit::index_names(Graph& graph) const {
  const auto name_of = [&](OpId op) { return graph.name(op); };
  const auto count = static_cast<std::uint32_t>(plan_->added.size());
  if (!new_ids_.empty()) {
    for (std::uint32_t op = 0; op + count < graph.op_count(); ++op) {
      graph.names_.insert(NameIndex::hash(graph.name(OpId{op})), OpId{op}, name_of);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const OpId op{graph.op_count() - count + i};
    const std::string_view name = graph.name(op);
    const bool was_taken = !new_ids_.empty() && graph_->find(name).valid();
    if (was_taken || graph.names_.insert(NameIndex::hash(name), op, name_of).valid()) {
      return fail(Code::kInvalidArgument, "op '{}': the name is taken", printable(name));
    }
  }
  return {};
}

Result<Graph> GraphEdit::commit() {
  TIDELINE_TRY(PlanChanges changes, PlanChanges::check(*graph_, *plan_));
  find_new_ids(changes);
  Graph graph;
  begin(graph);
  for (const OpId op : graph_->ops()) {
    const OpChanges of_op = changes.take(op);
    if (changes.is_removed(op)) continue;
    TIDELINE_RETURN_IF_ERROR(append_original(graph, op, of_op));
  }
  for (std::uint32_t i = 0; i < plan_->added.size(); ++i) {
    const OpId op{graph_->op_count() + i};
    TIDELINE_RETURN_IF_ERROR(append_added(graph, op, changes.take(op)));
  }
  while (graph.signatures_.size() < graph.types_.size()) {
    graph.signatures_.push_back(signature_of(graph.types_[graph.signatures_.size()]));
  }
  TIDELINE_RETURN_IF_ERROR(index_names(graph));
  return graph;
}

Result<Graph> apply(const Graph& graph, const GraphPlan& plan, const DeclaredSignatures* declared) {
  TIDELINE_TRY(Graph changed, GraphEdit(graph, plan, declared).commit());
  if (Status status = verify_acyclic(changed); !status) {
    return fail(Code::kInvalidArgument, "the plan breaks the graph: {}", status.error().message);
  }
  return changed;
}

}  // namespace tideline
