#include "core/graph/op_effects.h"

#include <algorithm>
#include <map>

#include "core/base/check.h"
#include "core/base/parse.h"
#include "core/graph/op_facts_text.h"
#include "core/graph/op_signature.h"

namespace tideline {
namespace {

// Effects of a type, and on what they depend: on an attribute, or on an input ("<filename").
struct TypeEffects {
  std::vector<OpEffect> effects;
  std::string_view subject;
  std::string_view texts;  // as op_facts.txt has them
};

OpEffect effect_of(std::string_view word) {
  for (const auto& [name, effect] :
       {std::pair("read", OpEffect::kReadFiles), std::pair("write", OpEffect::kWriteFiles),
        std::pair("network", OpEffect::kNetwork), std::pair("code", OpEffect::kCode)}) {
    if (word == name) return effect;
  }
  TIDELINE_CHECK(false);
  return OpEffect::kUnknown;
}

TypeEffects parse(std::string_view value) {
  TypeEffects parsed;
  std::string_view words = take_until(value, '@');
  while (!words.empty()) parsed.effects.push_back(effect_of(take_until(words, ',')));
  parsed.subject = take_until(value, ':');
  parsed.texts = value;
  return parsed;
}

std::map<std::string_view, TypeEffects> read_table() {
  constexpr std::string_view kKey = " effect=";
  std::map<std::string_view, TypeEffects> table;
  for_each_op_type([&](std::string_view type, std::string_view facts) {
    const std::size_t at = facts.find(kKey);
    if (at == std::string_view::npos) return;
    std::string_view value = facts.substr(at + kKey.size());
    table.emplace(type, parse(take_until(value, ' ')));
  });
  return table;
}

// The text, or for "text*" what it begins with, is one of `texts`.
bool is_one_of(std::string_view text, std::string_view texts) {
  while (!texts.empty()) {
    std::string_view known = take_until(texts, '|');
    const bool is_begin = known.ends_with('*');
    if (is_begin) known.remove_suffix(1);
    if (is_begin ? text.starts_with(known) : text == known) return true;
  }
  return false;
}

bool attribute_allows(const TypeEffects& entry, const Graph& graph, OpId op) {
  const auto value = graph.attribute(op, entry.subject);
  if (!value) return true;    // what cannot be read rules nothing out
  if (!*value) return false;  // the defaults have no effects
  if ((*value)->kind != AttrValue::Kind::kString) return true;
  const std::string& text = (*value)->string;
  if (entry.texts.starts_with('!')) return !is_one_of(text, entry.texts.substr(1));
  return !text.empty() && text.starts_with(entry.texts);
}

// Whether the input called `name` can be anything but an empty string.
bool input_allows(std::string_view name, const Graph& graph, OpId op) {
  const auto signature = builtin_signature(graph.type(op));
  TIDELINE_CHECK(signature.has_value());
  const auto& arguments = signature->inputs;
  const auto at = std::find_if(arguments.begin(), arguments.end(),
                               [&](const ArgSignature& argument) { return argument.name == name; });
  const auto slot = static_cast<std::size_t>(at - arguments.begin());
  const auto inputs = graph.inputs(op);
  if (slot >= inputs.size() || graph.type(inputs[slot].op) != "Const") return true;
  const auto value = graph.attribute(inputs[slot].op, "value");
  if (!value || !*value) return true;
  const auto content = graph.codec().tensor_content((*value)->encoded, 1);
  if (!content || !*content || !(*content)->texts) return true;
  return *(*content)->texts != std::vector<std::string>{""};
}

bool applies(const TypeEffects& entry, const Graph& graph, OpId op) {
  if (entry.subject.empty()) return true;
  if (entry.subject.starts_with('<')) return input_allows(entry.subject.substr(1), graph, op);
  return attribute_allows(entry, graph, op);
}

}  // namespace

std::string_view effect_name(OpEffect effect) {
  switch (effect) {
    case OpEffect::kReadFiles: return "read files";
    case OpEffect::kWriteFiles: return "write files";
    case OpEffect::kNetwork: return "use the network";
    case OpEffect::kCode: return "run code";
    case OpEffect::kUnknown: break;
  }
  return "do anything (it, or a function that it calls, is not known)";
}

std::vector<OpEffect> op_effects(const Graph& graph, OpId op) {
  static const std::map<std::string_view, TypeEffects> effects = read_table();
  const std::string_view type = graph.type(op);
  const auto entry = effects.find(type);
  if (entry != effects.end()) {
    return applies(entry->second, graph, op) ? entry->second.effects : std::vector<OpEffect>();
  }
  if (builtin_signature(type)) return {};
  return {OpEffect::kUnknown};
}

}  // namespace tideline
