// Parses the requested lines of op_facts.txt and converts argument names to positions in the
// signature. The text is the only form of the table. unit/graph/op_facts_test.cc checks its
// contents, so a name that is in no signature is an internal error.
#include "core/graph/op_facts.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/base/parse.h"
#include "core/graph/op_facts_text.h"

namespace tideline {
namespace {

constexpr std::array<std::pair<std::string_view, OpKind>, 29> kKinds = {{
    {"elementwise", OpKind::kElementwise},
    {"view", OpKind::kView},
    {"shape", OpKind::kShape},
    {"layout", OpKind::kLayout},
    {"reduce", OpKind::kReduce},
    {"compute", OpKind::kCompute},
    {"gradient", OpKind::kGradient},
    {"update", OpKind::kUpdate},
    {"assign", OpKind::kAssign},
    {"constant", OpKind::kConstant},
    {"placeholder", OpKind::kPlaceholder},
    {"variable", OpKind::kVariable},
    {"read", OpKind::kRead},
    {"input", OpKind::kInput},
    {"random", OpKind::kRandom},
    {"switch", OpKind::kSwitch},
    {"merge", OpKind::kMerge},
    {"enter", OpKind::kEnter},
    {"exit", OpKind::kExit},
    {"next", OpKind::kNextIteration},
    {"loopcond", OpKind::kLoopCond},
    {"call", OpKind::kCall},
    {"control", OpKind::kControl},
    {"container", OpKind::kContainer},
    {"queue", OpKind::kQueue},
    {"save", OpKind::kSave},
    {"summary", OpKind::kSummary},
    {"check", OpKind::kCheck},
    {"host", OpKind::kHost},
}};

OpKind kind_of(std::string_view word) {
  const auto entry = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const auto& kind) { return kind.first == word; });
  TIDELINE_CHECK(entry != kKinds.end());
  return entry->second;
}

// kNone for a key that is none of them.
FlopsRule flops_rule_of(std::string_view key) {
  for (const auto& [name, rule] :
       {std::pair("conv", FlopsRule::kConvolution), std::pair("depthwise", FlopsRule::kDepthwise),
        std::pair("product", FlopsRule::kProduct), std::pair("weights", FlopsRule::kWeights)}) {
    if (key == name) return rule;
  }
  return FlopsRule::kNone;
}

std::optional<std::uint8_t> position(const std::vector<ArgSignature>& arguments,
                                     std::string_view name) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == name) return static_cast<std::uint8_t>(i);
  }
  return std::nullopt;
}

// Fills an OpFacts from the words of one line.
class LineReader {
 public:
  LineReader(const OpSignature& signature, OpFacts& facts) : signature_(signature), facts_(facts) {}

  void read(std::string_view line) {
    facts_.kind = kind_of(take_until(line, ' '));
    while (!line.empty()) {
      std::string_view values = take_until(line, ' ');
      const std::string_view key = take_until(values, '=');
      if (values.empty()) {
        read_flag(key);
        continue;
      }
      while (!values.empty()) read_value(key, take_until(values, ','));
    }
  }

 private:
  void read_flag(std::string_view flag) {
    for (const auto& [name, member] :
         {std::pair("cheap", &OpFacts::is_cheap), std::pair("seeded", &OpFacts::is_seeded),
          std::pair("int32_host", &OpFacts::is_int32_host), std::pair("empty", &OpFacts::is_empty),
          std::pair("source", &OpFacts::is_source), std::pair("picks", &OpFacts::is_pick)}) {
      if (flag != name) continue;
      facts_.*member = true;
      return;
    }
    TIDELINE_CHECK(false);
  }

  void read_value(std::string_view key, std::string_view value) {
    if (key == "effect") return;  // read by op_effects.cc
    if (key == "of") {
      facts_.gradient_of.emplace_back(value);
    } else if (key == "backward") {
      facts_.backward.emplace_back(value);
    } else if (key == "alias" || key == "inplace" || key == "maybe") {
      auto& links = key == "alias"     ? facts_.aliases
                    : key == "inplace" ? facts_.in_place
                                       : facts_.maybe;
      const std::string_view output_name = take_until(value, '<');
      links.push_back({output(output_name), input(value)});
    } else if (key == "host") {
      if (const auto in = position(signature_.inputs, value)) facts_.host_inputs.push_back(*in);
      if (const auto out = position(signature_.outputs, value)) facts_.host_outputs.push_back(*out);
    } else if (const FlopsRule rule = flops_rule_of(key); rule != FlopsRule::kNone) {
      TIDELINE_CHECK(facts_.flops_of.empty() || facts_.flops_rule == rule);
      facts_.flops_rule = rule;
      facts_.flops_of.push_back(input_or_output(value));
    } else {
      read_argument(key, value);
    }
  }

  void read_argument(std::string_view key, std::string_view value) {
    for (const auto& [name, member] :
         {std::pair("meta", &OpFacts::metadata_inputs), std::pair("grad", &OpFacts::gradients),
          std::pair("parameter", &OpFacts::parameters), std::pair("slots", &OpFacts::slots),
          std::pair("shared", &OpFacts::shared), std::pair("linear", &OpFacts::linear),
          std::pair("bilinear", &OpFacts::bilinear)}) {
      if (key != name) continue;
      (facts_.*member).push_back(input(value));
      return;
    }
    if (key == "for_gradient") {
      facts_.for_gradient.push_back(output(value));
    } else if (key == "reads" || key == "var") {
      facts_.variable = input(value);
    } else if (key == "value" || key == "push") {
      facts_.value = input(value);
    } else if (key == "indices") {
      facts_.indices = input(value);
    } else if (key == "pop") {
      facts_.popped = output(value);
    } else {
      TIDELINE_CHECK(key == "x" || key == "y" || key == "xy");
      if (key != "y") facts_.kept_inputs.push_back(input(value));
      if (key != "x") facts_.kept_outputs.push_back(input(value));
    }
  }

  [[nodiscard]] std::uint8_t input(std::string_view name) const {
    const auto found = position(signature_.inputs, name);
    TIDELINE_CHECK(found);
    return *found;
  }
  [[nodiscard]] std::uint8_t output(std::string_view name) const {
    const auto found = position(signature_.outputs, name);
    TIDELINE_CHECK(found);
    return *found;
  }

  // An output where both have the name: the filter's gradient, not what is convolved.
  [[nodiscard]] OpArgument input_or_output(std::string_view name) const {
    if (const auto found = position(signature_.outputs, name)) return {*found, true};
    return {input(name), false};
  }

  const OpSignature& signature_;
  OpFacts& facts_;
};

void add_declared(const OpSignature& signature, OpFacts& facts) {
  facts.is_stateful = signature.is_stateful;
  for (std::size_t i = 0; i < signature.inputs.size(); ++i) {
    const auto argument = static_cast<std::uint8_t>(i);
    if (signature.inputs[i].is_reference) facts.reference_inputs.push_back(argument);
    if (signature.inputs[i].type == DataType::kResource) facts.resource_inputs.push_back(argument);
  }
}

OpFacts parse(const OpSignature& signature, std::string_view rest) {
  OpFacts facts;
  LineReader(signature, facts).read(rest);
  add_declared(signature, facts);
  return facts;
}

}  // namespace

bool is_pure(OpKind kind) {
  switch (kind) {
    case OpKind::kElementwise:
    case OpKind::kView:
    case OpKind::kShape:
    case OpKind::kLayout:
    case OpKind::kReduce:
    case OpKind::kCompute:
    case OpKind::kGradient:
    case OpKind::kConstant: return true;
    default: return false;
  }
}

OpFactsTable OpFactsTable::for_graph(const Graph& graph, const FunctionLibrary* functions) {
  OpFactsTable table;
  table.facts_.resize(graph.types().size());
  table.has_lists_.resize(graph.types().size());
  std::unordered_map<std::string_view, std::size_t> wanted;
  for (std::size_t id = 0; id < graph.types().size(); ++id) wanted.emplace(graph.types()[id], id);
  for_each_op_type([&](std::string_view type, std::string_view rest) {
    if (const auto entry = wanted.find(type); entry != wanted.end()) {
      const auto signature = builtin_signature(type);
      TIDELINE_CHECK(signature);
      table.facts_[entry->second] = parse(*signature, rest);
      table.has_lists_[entry->second] =
          std::any_of(signature->inputs.begin(), signature->inputs.end(),
                      [](const ArgSignature& input) { return input.is_list(); });
    }
  });
  for (std::size_t id = 0; id < graph.types().size(); ++id) {
    if (table.facts_[id].is_known()) continue;
    const std::string_view type = graph.types()[id];
    if (functions != nullptr && functions->find(type) != nullptr) {
      table.facts_[id].kind = OpKind::kCall;
    } else {
      if (const auto signature = builtin_signature(type))
        add_declared(*signature, table.facts_[id]);
      table.unknown_.push_back(type);
    }
  }
  return table;
}

bool OpFactsTable::reads_only_shape(const Graph& graph, OpId op, std::uint32_t slot) const {
  bool only = false;
  for_each_slot(graph, op, of(graph, op).metadata_inputs,
                [&](std::uint32_t metadata) { only = only || metadata == slot; });
  return only;
}

void OpFactsTable::add_unknown_types(Diagnostics& diagnostics) const {
  for (const std::string_view type : unknown_) {
    diagnostics.add(Severity::kNotice, "op type without facts", std::string(type));
  }
}

std::optional<SlotRange> argument_slots(const Graph& graph, OpId op, std::uint8_t argument) {
  const OpSignature* signature = graph.signature(op);
  if (signature == nullptr || argument >= signature->inputs.size()) return std::nullopt;
  const auto slots = static_cast<std::uint32_t>(graph.inputs(op).size());
  // All lists of one length: it follows from the number of inputs.
  std::uint32_t lists = 0;
  const ArgSignature* list = nullptr;
  for (const ArgSignature& input : signature->inputs) {
    if (!input.is_list()) continue;
    if (list != nullptr && (input.number_attr != list->number_attr || input.number_attr.empty())) {
      return std::nullopt;
    }
    list = &input;
    ++lists;
  }
  const auto single = static_cast<std::uint32_t>(signature->inputs.size()) - lists;
  if (slots < single || (lists == 0 && slots != single)) return std::nullopt;
  const std::uint32_t length = lists == 0 ? 0 : (slots - single) / lists;
  if (lists > 0 && length * lists != slots - single) return std::nullopt;
  SlotRange range;
  for (std::uint8_t i = 0; i < argument; ++i) {
    range.first += signature->inputs[i].is_list() ? length : 1;
  }
  range.count = signature->inputs[argument].is_list() ? length : 1;
  return range;
}

}  // namespace tideline
