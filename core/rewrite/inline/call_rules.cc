// Tested by unit/rewrite/inline/inline_calls_test.cc.
#include "core/rewrite/inline/call_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/graph/called_functions.h"

namespace tideline {
namespace {

constexpr std::string_view kCompiledByXla = "_XlaMustCompile";
constexpr std::string_view kNoInline = "_noinline";
constexpr std::string_view kImplements = "api_implements";

constexpr std::array<std::string_view, 2> kCalls = {"PartitionedCall", "StatefulPartitionedCall"};
constexpr std::array<std::string_view, 3> kChoices = {"While", "If", "Case"};  // and Stateless...

// Ops that make a resource which, without a shared name, is called like the op. Sorted.
constexpr std::array<std::string_view, 33> kNamedResources = {"Barrier",
                                                              "BarrierV2",
                                                              "ConditionalAccumulator",
                                                              "FIFOQueue",
                                                              "FIFOQueueV2",
                                                              "HashTable",
                                                              "HashTableV2",
                                                              "Iterator",
                                                              "IteratorV2",
                                                              "MutableDenseHashTable",
                                                              "MutableDenseHashTableV2",
                                                              "MutableHashTable",
                                                              "MutableHashTableOfTensors",
                                                              "MutableHashTableOfTensorsV2",
                                                              "MutableHashTableV2",
                                                              "MutexV2",
                                                              "OneShotIterator",
                                                              "PaddingFIFOQueue",
                                                              "PaddingFIFOQueueV2",
                                                              "PriorityQueue",
                                                              "PriorityQueueV2",
                                                              "RandomShuffleQueue",
                                                              "RandomShuffleQueueV2",
                                                              "SparseConditionalAccumulator",
                                                              "Stack",
                                                              "StackV2",
                                                              "TemporaryVariable",
                                                              "TensorArray",
                                                              "TensorArrayV2",
                                                              "TensorArrayV3",
                                                              "VarHandleOp",
                                                              "Variable",
                                                              "VariableV2"};

bool is_named_resource(std::string_view type) {
  return std::binary_search(kNamedResources.begin(), kNamedResources.end(), type);
}

bool has_shared_name(const Graph& body, OpId op) {
  const auto name = body.attribute(op, "shared_name");
  return name && *name && !(*name)->string.empty();
}

const AttrValue* find(const Attributes& attributes, std::string_view key) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == attributes.end() ? nullptr : &found->second;
}

bool is_marked(const Graph& graph, OpId call, const Function& function, std::string_view key) {
  const AttrValue* own = find(function.attributes, key);
  if (own != nullptr && own->boolean) return true;
  const auto value = graph.attribute(call, key);
  return value && *value && (*value)->boolean;
}

// The first attribute of `op` whose value the caller gives; empty if there is none.
std::string attribute_of_caller(const Graph& body, OpId op) {
  std::string found;
  body.codec().for_each_attribute(body.encoded(op),
                                  [&](std::string_view key, std::string_view encoded) {
                                    if (!found.empty()) return;
                                    const auto value = body.codec().decode(encoded);
                                    if (value && value->kind == AttrValue::Kind::kPlaceholder)
                                      found = key;
                                  });
  return found;
}

}  // namespace

std::optional<std::string> CallRules::callee(const Graph& graph, OpId op) {
  const std::string_view type = graph.type(op);
  if (std::find(kCalls.begin(), kCalls.end(), type) != kCalls.end()) {
    const auto function = graph.attribute(op, "f");
    return function && *function ? (*function)->string : std::string();
  }
  const auto [entry, is_new] = natives_.try_emplace(type);
  if (is_new) entry->second = library_.find(type) != nullptr;
  return entry->second ? std::optional(std::string(type)) : std::nullopt;
}

bool CallRules::runs_functions(const Graph& graph, OpId op) {
  if (callee(graph, op)) return true;
  const std::string_view type = graph.type(op);
  const bool chooses = std::any_of(kChoices.begin(), kChoices.end(),
                                   [&](std::string_view end) { return type.ends_with(end); });
  return chooses || !called_functions(graph, op, library_).empty();
}

const CallRules::Facts& CallRules::facts(const Function& function) {
  const auto [entry, is_new] = facts_.try_emplace(&function);
  Facts& facts = entry->second;
  if (!is_new) return facts;
  const Graph& body = function.body;
  for (const OpId result : function.results) {
    if (facts.reason.empty() && body.inputs(result).empty()) {
      facts.reason = fmt::format("its function does not say which tensor its result '{}' is",
                                 printable(body.name(result)));
    }
  }
  for (const OpId op : body.ops()) {
    if (!facts.reason.empty()) break;
    if (!facts.undeclared.valid() && body.signature(op) == nullptr) facts.undeclared = op;
    if (is_named_resource(body.type(op)) && !has_shared_name(body, op)) {
      facts.reason = fmt::format("op '{}' of its function makes a resource that is named after it",
                                 printable(body.name(op)));
    } else if (const std::string key = attribute_of_caller(body, op); !key.empty()) {
      facts.reason = fmt::format("attribute '{}' of op '{}' of its function comes from the caller",
                                 printable(key), printable(body.name(op)));
    }
  }
  return facts;
}

std::string CallRules::why_kept(const Graph& graph, OpId call, const Function& function) {
  if (is_marked(graph, call, function, kCompiledByXla)) {
    return "XLA compiles it (_XlaMustCompile)";
  }
  if (is_marked(graph, call, function, kNoInline)) return "it is marked _noinline";
  if (find(function.attributes, kImplements) != nullptr) {
    return "its function is one of several among which Grappler chooses (api_implements); without "
           "the call, sums are taken in another order";
  }
  return facts(function).reason;
}

}  // namespace tideline
