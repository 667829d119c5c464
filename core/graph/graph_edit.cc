#include "core/graph/graph_edit.h"

#include <algorithm>

namespace tideline {

GraphEdit::GraphEdit(const Graph& graph) : graph_(&graph), arena_(std::make_shared<TextArena>()) {}

void GraphEdit::set_error(std::string message) {
  if (error_.empty()) error_ = std::move(message);
}

std::string_view GraphEdit::name(OpId op) const {
  return op.index() < graph_->op_count() ? graph_->name(op)
                                         : added_[op.index() - graph_->op_count()].name;
}

std::string GraphEdit::spelled(TensorId tensor) {
  if (tensor.op.index() < graph_->op_count()) {
    auto text = graph_->input_text(tensor);
    if (text) return *std::move(text);
    set_error(text.error().message);
    return {};
  }
  const AddedOp& op = added_[tensor.op.index() - graph_->op_count()];
  if (!graph_->is_function_body()) {
    return tensor.slot == 0 ? std::string(op.name) : fmt::format("{}:{}", op.name, tensor.slot);
  }
  if (const auto signature = builtin_signature(op.type)) {
    const auto outputs = output_arguments(*signature, graph_->codec(), op.encoded);
    if (auto text = outputs ? spell(op.name, *outputs, tensor.slot) : std::nullopt) {
      return *std::move(text);
    }
  }
  set_error(fmt::format("op '{}': output {} has no name to be read under", op.name, tensor.slot));
  return {};
}

OpId GraphEdit::add_op(const NewOp& op) {
  AddedOp added{arena_->add(op.name),
                {},
                {},
                {},
                static_cast<std::uint32_t>(added_inputs_.size()),
                static_cast<std::uint32_t>(op.inputs.size())};
  // Neighbours mostly share type and device: keep one copy of their text.
  const auto keep = [this](std::string_view text, std::string_view last) {
    return text == last ? last : arena_->add(text);
  };
  added.type = keep(op.type, added_.empty() ? "" : added_.back().type);
  added.device = keep(op.device, added_.empty() ? "" : added_.back().device);
  std::vector<std::string> texts;
  for (const TensorId input : op.inputs) {
    if (!exists(input.op)) {
      set_error(fmt::format("op '{}': reads an op that does not exist", op.name));
      continue;
    }
    texts.push_back(spelled(input));
  }
  added_inputs_.insert(added_inputs_.end(), op.inputs.begin(), op.inputs.end());
  added.encoded =
      arena_->add(graph_->codec().encode(op.name, op.type, op.device, texts, op.attributes));
  added_.push_back(added);
  return OpId{graph_->op_count() + static_cast<std::uint32_t>(added_.size()) - 1};
}

void GraphEdit::reroute(OpId op, std::uint32_t slot, TensorId to) {
  if (op.index() >= graph_->op_count() || slot >= graph_->inputs(op).size() || !exists(to.op)) {
    set_error(fmt::format("input {} of op number {} cannot be rerouted", slot, op.value));
    return;
  }
  reroutes_.push_back({op, slot, to});
}

void GraphEdit::add_control(OpId op, OpId after) {
  if (!exists(op) || !exists(after)) {
    set_error(fmt::format("op number {} cannot wait for op number {}", op.value, after.value));
    return;
  }
  controls_.push_back({op, after});
}

void GraphEdit::begin(Graph& graph) const {
  const Graph& old = *graph_;
  graph.codec_ = old.codec_;
  graph.keep_alive_ = old.keep_alive_;
  graph.keep_alive_.push_back(arena_);
  graph.types_ = old.types_;
  graph.devices_ = old.devices_;
  graph.signatures_ = old.signatures_;
  graph.names_ = old.names_;
  graph.function_syntax_ = old.function_syntax_;
  graph.ops_.reserve(old.op_count() + added_.size());
  graph.inputs_.reserve(old.inputs_.size() + added_inputs_.size());
  graph.controls_.reserve(old.controls_.size() + controls_.size());
}

// One op, with the changes that the iterators point at: its reroutes and control edges.
void GraphEdit::append_changed(Graph& graph, Graph::OpRecord record,
                               std::vector<Reroute>::const_iterator& reroute,
                               std::vector<Control>::const_iterator& control) {
  const OpId op{static_cast<std::uint32_t>(graph.ops_.size())};
  const bool changed = (reroute != reroutes_.end() && reroute->op == op) ||
                       (control != controls_.end() && control->op == op);
  if (changed) {
    const std::string_view encoded(record.encoded_data, record.encoded_size);
    std::vector<std::string> texts = graph.codec().input_texts(encoded);
    for (; reroute != reroutes_.end() && reroute->op == op; ++reroute) {
      graph.inputs_[record.first_input + reroute->slot] = reroute->to;
      texts[reroute->slot] = spelled(reroute->to);
    }
    for (; control != controls_.end() && control->op == op; ++control) {
      const auto present = graph.controls_.begin() + record.first_control;
      if (std::find(present, graph.controls_.end(), control->after) != graph.controls_.end()) {
        continue;
      }
      graph.controls_.push_back(control->after);
      ++record.control_count;
      texts.push_back(fmt::format("^{}", name(control->after)));
    }
    const std::string_view made = arena_->add(graph.codec().with_inputs(encoded, texts));
    record.encoded_data = made.data();
    record.encoded_size = static_cast<std::uint32_t>(made.size());
  }
  graph.ops_.push_back(record);
}

void GraphEdit::append_ops(Graph& graph) {
  const auto by_op = [](const auto& a, const auto& b) { return a.op < b.op; };
  std::stable_sort(reroutes_.begin(), reroutes_.end(), by_op);
  std::stable_sort(controls_.begin(), controls_.end(), by_op);
  auto reroute = reroutes_.cbegin();
  auto control = controls_.cbegin();
  const auto start_record = [&](Graph::OpRecord record) {
    record.first_input = static_cast<std::uint32_t>(graph.inputs_.size());
    record.first_control = static_cast<std::uint32_t>(graph.controls_.size());
    return record;
  };
  for (const OpId op : graph_->ops()) {
    const Graph::OpRecord record = start_record(graph_->record(op));
    const auto inputs = graph_->inputs(op);
    const auto waits = graph_->control_inputs(op);
    graph.inputs_.insert(graph.inputs_.end(), inputs.begin(), inputs.end());
    graph.controls_.insert(graph.controls_.end(), waits.begin(), waits.end());
    append_changed(graph, record, reroute, control);
  }
  const auto intern = [](std::vector<std::string_view>& list, std::string_view text) {
    const auto known = std::find(list.begin(), list.end(), text);
    if (known == list.end()) list.push_back(text);
    return static_cast<std::uint32_t>(std::find(list.begin(), list.end(), text) - list.begin());
  };
  for (const AddedOp& op : added_) {
    Graph::OpRecord record = start_record({});
    record.name_data = op.name.data();
    record.name_size = static_cast<std::uint32_t>(op.name.size());
    record.encoded_data = op.encoded.data();
    record.encoded_size = static_cast<std::uint32_t>(op.encoded.size());
    record.type = intern(graph.types_, op.type);
    record.device = intern(graph.devices_, op.device);
    record.input_count = op.input_count;
    const auto first = added_inputs_.begin() + op.first_input;
    graph.inputs_.insert(graph.inputs_.end(), first, first + op.input_count);
    append_changed(graph, record, reroute, control);
  }
  while (graph.signatures_.size() < graph.types_.size()) {
    graph.signatures_.push_back(builtin_signature(graph.types_[graph.signatures_.size()]));
  }
}

Result<Graph> GraphEdit::commit() {
  if (!error_.empty()) return fail(Code::kInvalidArgument, "{}", error_);
  Graph graph;
  begin(graph);
  append_ops(graph);
  for (std::uint32_t i = 0; i < added_.size(); ++i) {
    const OpId op{graph_->op_count() + i};
    const OpId twin = graph.names_.insert(NameIndex::hash(added_[i].name), op,
                                          [&](OpId id) { return graph.name(id); });
    if (twin.valid()) {
      return fail(Code::kInvalidArgument, "op '{}': the name is taken", added_[i].name);
    }
  }
  return graph;
}

}  // namespace tideline
