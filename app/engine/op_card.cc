// Tested by unit/actions/ui_model_test.cc.
#include "app/engine/op_card.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/rewrite/lms/tensor_stretches.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostElements = 64;  // of a constant, shown

std::string cut(std::string text) {
  return text.size() <= kMostValueBytes ? text : printable(text, kMostValueBytes);
}

template <typename List, typename Text>
std::string list_text(const List& list, const Text& text) {
  std::string all;
  for (const auto& item : list) {
    if (all.size() > kMostValueBytes) break;
    all += (all.empty() ? "" : ", ") + text(item);
  }
  return all;
}

std::string quoted(const std::string& text) {
  return "'" + printable(text, kMostValueBytes) + "'";
}

std::string tensor_text(const NodeCodec& codec, std::string_view encoded) {
  const auto content = codec.tensor_content(encoded, kMostElements);
  if (!content || !*content) return "a tensor";
  const TensorContent& tensor = **content;
  std::string text = fmt::format("{} {}", data_type_name(tensor.type), to_string(tensor.shape));
  if (tensor.elements) text += fmt::format(" {{{}}}", fmt::join(*tensor.elements, ", "));
  if (tensor.texts) text += fmt::format(" {{{}}}", list_text(*tensor.texts, quoted));
  return text;
}

std::string list_value_text(const AttrValue& value) {
  std::string text = list_text(value.strings, quoted);
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
  };
  add(list_text(value.integers, [](std::int64_t number) { return std::to_string(number); }));
  add(list_text(value.types, [](DataType type) { return data_type_name(type); }));
  add(list_text(value.shapes, [](const Shape& shape) { return to_string(shape); }));
  add(list_text(value.functions, [](const std::string& name) { return printable(name); }));
  return "[" + text + "]";
}

class Card {
 public:
  Card(const Snapshot& snapshot, const Reasons* reasons, OpId op)
      : snapshot_(snapshot),
        reasons_(reasons != nullptr && reasons->snapshot().get() == &snapshot ? reasons : nullptr),
        graph_(snapshot.shown->graph()),
        file_(*snapshot.shown->file),
        op_(op),
        overrides_(
            Overrides::find(graph_, snapshot.shown->tensors, override_lists(snapshot.policy))) {}

  ui::OpCard run() {
    card_.op = op_;
    card_.name = graph_.name(op_);
    card_.type = graph_.type(op_);
    card_.device = graph_.device(op_);
    card_.phase = phase_name(file_.phases.of(op_));
    card_.scope = file_.scopes.scopes[file_.scopes.scope_of[op_.index()]].path;
    card_.level = file_.levels.level(op_);
    if (const SourceLine* line = file_.source->lines.of(op_)) card_.line = *line;
    for (std::uint32_t slot = 0; slot < snapshot_.shown->tensors.output_count(op_); ++slot) {
      if (slot == kMostNames) break;
      add_output({op_, slot});
    }
    add_neighbours();
    add_attributes();
    return std::move(card_);
  }

 private:
  void add_output(TensorId tensor) {
    const TensorTable& tensors = snapshot_.shown->tensors;
    ui::TensorCard output;
    output.tensor = tensor;
    output.name = graph_.tensor_name(tensor);
    output.shape = to_string(tensors.shape(tensor));
    output.type = data_type_name(tensors.type(tensor));
    output.bytes = tensors.bytes(tensor);
    output.unknown_size = tensors.is_unknown(tensor);
    const auto swaps = snapshot_.plan().swaps();
    output.why = why_in_file(snapshot_, tensor);
    output.swapped = !output.why.empty() ||
                     std::any_of(swaps.begin(), swaps.end(), [tensor](const PlannedSwap& swap) {
                       return swap.tensor == tensor;
                     });
    const PlanReport* report = reasons_ != nullptr ? reasons_->explained().plan.report.get()
                                                   : snapshot_.plan().report.get();
    if (report != nullptr && output.why.empty()) output.why = report->rule(tensor);
    output.memory = memory(tensor);
    if (overrides_) {
      output.user = overrides_->of(tensor);
      output.own_ahead = overrides_->ahead_of(tensor);
    }
    card_.outputs.push_back(std::move(output));
  }

  // On the first device that it is on.
  [[nodiscard]] std::string memory(TensorId tensor) const {
    std::string nowhere;
    for (const DeviceResult& device : snapshot_.devices) {
      // The graph that the plan gives is looked at without the plan.
      const TensorStretches found =
          device.planned
              ? find_stretches(graph_, file_.levels, device.planned->graph, {}, device.result(),
                               tensor, &file_.copies)
              : find_stretches(graph_, file_.levels, device.original->graph,
                               snapshot_.plan().swaps(), device.result(), tensor, &file_.copies);
      const std::string text = stretches_text(graph_, found);
      if (found.stretches.empty()) {
        if (nowhere.empty()) nowhere = text;
        continue;
      }
      if (snapshot_.devices.size() == 1) return text;
      return fmt::format("{}: {}", printable(device.name()), text);
    }
    return nowhere;
  }

  void add_neighbours() {
    for (const TensorId input : graph_.inputs(op_)) {
      if (card_.inputs.size() == kMostNames) break;
      card_.inputs.push_back(graph_.tensor_name(input));
    }
    for (const OpId control : graph_.control_inputs(op_)) {
      if (card_.controls.size() == kMostNames) break;
      card_.controls.emplace_back(graph_.name(control));
    }
    OpId last;
    for (const Use use : file_.consumers.data(op_)) {
      if (card_.consumers.size() == kMostNames) break;
      if (use.consumer == last) continue;  // reads twice
      last = use.consumer;
      card_.consumers.emplace_back(graph_.name(use.consumer));
    }
  }

  void add_attributes() {
    const NodeCodec& codec = graph_.codec();
    codec.for_each_attribute(
        graph_.encoded(op_), [&](std::string_view key, std::string_view encoded) {
          if (card_.attributes.size() == kMostNames) return;
          card_.attributes.emplace_back(printable(key), attribute_text(codec, encoded));
        });
  }

  const Snapshot& snapshot_;
  const Reasons* reasons_;
  const Graph& graph_;
  const GraphFile& file_;
  OpId op_;
  Result<Overrides> overrides_;
  ui::OpCard card_;
};

}  // namespace

std::string attribute_text(const NodeCodec& codec, std::string_view encoded) {
  const auto value = codec.decode(encoded);
  if (!value) return "not readable: " + cut(value.error().message);
  switch (value->kind) {
    case AttrValue::Kind::kString: return quoted(value->string);
    case AttrValue::Kind::kInt: return std::to_string(value->integer);
    case AttrValue::Kind::kFloat: return fmt::format("{}", value->number);
    case AttrValue::Kind::kBool: return value->boolean ? "true" : "false";
    case AttrValue::Kind::kType: return data_type_name(value->type);
    case AttrValue::Kind::kShape: return to_string(value->shape);
    case AttrValue::Kind::kTensor: return cut(tensor_text(codec, encoded));
    case AttrValue::Kind::kFunction: return "function " + printable(value->string);
    case AttrValue::Kind::kPlaceholder: return "placeholder " + printable(value->string);
    case AttrValue::Kind::kList: return cut(list_value_text(*value));
    case AttrValue::Kind::kNone: break;
  }
  return "nothing";
}

ui::OpCard op_card(const Snapshot& snapshot, const Reasons* reasons, OpId op) {
  return Card(snapshot, reasons, op).run();
}

}  // namespace tideline::app
