#include "core/runtime/outside_effects.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/base/text.h"
#include "core/graph/op_signature.h"
#include "core/io/functions.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/runtime/needed_ops.h"

namespace tideline::runtime {
namespace {

using io::Field;
using io::FieldReader;

constexpr std::size_t kListedOps = 10;

void add_functions_of_value(std::string_view value, std::set<std::string>& names);

// A function and the attributes that it is called with, which can be functions again.
void add_function(std::string_view call, std::set<std::string>& names) {
  FieldReader reader(call);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::node_def::kName)) names.emplace(field.bytes);
    constexpr std::uint32_t kAttributes = 2;  // of NameAttrList
    if (!field.is_bytes(kAttributes)) continue;
    FieldReader entry(field.bytes);
    for (Field part; entry.next(part);) {
      if (part.is_bytes(io::map_entry::kValue)) add_functions_of_value(part.bytes, names);
    }
  }
}

// Nesting is limited: it was checked when the file was read.
void add_functions_of_value(std::string_view value, std::set<std::string>& names) {
  FieldReader reader(value);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::attr_value::kFunction)) add_function(field.bytes, names);
    if (!field.is_bytes(io::attr_value::kList)) continue;
    FieldReader list(field.bytes);
    for (Field entry; list.next(entry);) {
      if (entry.is_bytes(io::attr_value::kListFunction)) add_function(entry.bytes, names);
    }
  }
}

// The text of an attribute, which some ops take as the name of a function; else empty.
std::string_view text_of_value(std::string_view value) {
  std::string_view text;
  FieldReader reader(value);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(io::attr_value::kString)) text = field.bytes;
  }
  return text;
}

// Marks what a further run needs: with other feeds it can go further than those before.
void mark_needed(const Graph& graph, const std::vector<OpId>& roots, const std::set<TensorId>& fed,
                 std::vector<bool>& needed) {
  const std::vector<bool> more = needed_ops(graph, roots, fed);
  for (std::size_t op = 0; op < more.size(); ++op) needed[op] = needed[op] || more[op];
}

class Search {
 public:
  explicit Search(const io::Document& document) {
    Diagnostics unread;  // found again as functions without a body
    library_ = io::read_functions(document, unread);
    for (const io::FunctionInfo& function : io::list_functions(document)) {
      if (++given_[function.name] == 1) order_.push_back(function.name);
    }
  }

  void add_op(const Graph& graph, OpId op, const std::string& function) {
    std::set<std::string> called;
    const std::string type(graph.type(op));
    const bool is_call = given_.contains(type);  // TensorFlow looks for functions first
    calls_ = calls_ || is_call || type == "SymbolicGradient";
    graph.codec().for_each_attribute(graph.encoded(op),
                                     [&](std::string_view, std::string_view value) {
                                       add_functions_of_value(value, called);
                                       calls_ = calls_ || given_.contains(text_of_value(value));
                                     });
    calls_ = calls_ || !called.empty();
    // A function may have the name of a type that does something: it is not known which one runs.
    const bool is_function_alone = is_call && !builtin_signature(type);
    std::vector<OpEffect> effects =
        is_function_alone ? std::vector<OpEffect>() : op_effects(graph, op);
    for (const std::string& name : called) {
      if (!given_.contains(name)) effects.assign(1, OpEffect::kUnknown);
    }
    if (effects.empty()) return;
    found_.push_back({std::string(graph.name(op)), type, function, std::move(effects)});
  }

  // TensorFlow puts functions in the place of others: those that say that they implement the same
  // interface, gradients, and what the default of an attribute names. So if one can run, all can.
  std::vector<EffectfulOp> finish() {
    if (!calls_) return std::move(found_);
    for (const std::string& name : order_) {
      const Function* function = library_.find(name);
      if (function == nullptr || given_.find(name)->second > 1) {
        found_.push_back({"", "", name, {OpEffect::kUnknown}});
        continue;
      }
      const Graph& body = function->body;
      for (const OpId op : body.ops()) {
        if (body.type(op) != "_Arg" && body.type(op) != "_Retval") add_op(body, op, name);
      }
    }
    return std::move(found_);
  }

 private:
  FunctionLibrary library_;
  std::map<std::string, int, std::less<>> given_;  // how often each name occurs in the file
  std::vector<std::string> order_;                 // each name once, in file order
  bool calls_ = false;                             // whether an op that runs can call a function
  std::vector<EffectfulOp> found_;
};

}  // namespace

std::vector<EffectfulOp> effectful_ops(const io::Document& document, const Training& training,
                                       const std::vector<TensorName>& fed) {
  const Graph& graph = document.graph;
  std::vector<bool> needed(graph.op_count(), false);
  const auto tensor_of = [&](const TensorName& name) {
    return TensorId{graph.find(name.op), static_cast<std::uint32_t>(name.slot)};
  };
  std::set<TensorId> tensors;
  for (const TensorName& name : fed) tensors.insert(tensor_of(name));
  mark_needed(graph, {graph.find(training.train), graph.find(training.loss.op)}, tensors, needed);
  std::vector<OpId> unfed;
  for (const std::string& name : training.initialisers) unfed.push_back(graph.find(name));
  for (const TrainedVariable& variable : training.variables) {
    unfed.push_back(graph.find(variable.name));
  }
  // A variable gets its value by its assignment alone, which is fed: of that, whatever else it
  // reads.
  for (const TrainedVariable& variable : training.variables) {
    const OpId assign = variable.assign.empty() ? OpId() : graph.find(variable.assign);
    if (!assign.valid() || needed[assign.index()]) continue;
    needed[assign.index()] = true;
    for (const TensorId input : graph.inputs(assign)) {
      if (input != tensor_of(variable.initial)) unfed.push_back(input.op);
    }
    for (const OpId before : graph.control_inputs(assign)) unfed.push_back(before);
  }
  mark_needed(graph, unfed, {}, needed);
  Search search(document);
  for (const OpId op : graph.ops()) {
    const bool is_argument = graph.type(op) == "_Arg" || graph.type(op) == "_Retval";
    if (needed[op.index()] && !is_argument) search.add_op(graph, op, "");
  }
  return search.finish();
}

std::string effects_text(const std::vector<EffectfulOp>& ops) {
  std::string text;
  for (std::size_t i = 0; i < ops.size() && i < kListedOps; ++i) {
    const EffectfulOp& op = ops[i];
    text += i == 0 ? "" : "; ";
    if (!op.type.empty()) {
      text += fmt::format("op '{}' ({})", printable(op.name), printable(op.type));
    }
    if (!op.type.empty() && !op.function.empty()) text += " of ";
    if (!op.function.empty()) text += fmt::format("function '{}'", printable(op.function));
    for (std::size_t k = 0; k < op.effects.size(); ++k) {
      text += fmt::format("{}{}", k == 0 ? " can " : " and ", effect_name(op.effects[k]));
    }
  }
  if (ops.size() > kListedOps) text += fmt::format("; and {} more", ops.size() - kListedOps);
  return text;
}

}  // namespace tideline::runtime
