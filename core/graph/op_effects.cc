#include "core/graph/op_effects.h"

#include <algorithm>
#include <map>

#include "core/base/check.h"
#include "core/graph/op_facts_text.h"
#include "core/graph/op_signature.h"

namespace tideline {
namespace {

// Effects of a type. With an attribute they hold only if it begins with `prefix` and is not empty.
struct TypeEffects {
  std::vector<OpEffect> effects;
  std::string_view attribute;
  std::string_view prefix;
};

std::string_view next_word(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

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
  std::string_view words = next_word(value, '@');
  while (!words.empty()) parsed.effects.push_back(effect_of(next_word(words, ',')));
  parsed.attribute = next_word(value, ':');
  parsed.prefix = value;
  return parsed;
}

std::map<std::string_view, TypeEffects> read_table() {
  constexpr std::string_view kKey = " effect=";
  std::map<std::string_view, TypeEffects> table;
  std::string_view text = kOpFactsText;
  while (!text.empty()) {
    const std::string_view line = next_word(text, '\n');
    const std::size_t at = line.find(kKey);
    if (line.starts_with('#') || at == std::string_view::npos) continue;
    std::string_view value = line.substr(at + kKey.size());
    table.emplace(line.substr(0, line.find(' ')), parse(next_word(value, ' ')));
  }
  return table;
}

bool applies(const TypeEffects& entry, const Graph& graph, OpId op) {
  if (entry.attribute.empty()) return true;
  const auto value = graph.attribute(op, entry.attribute);
  if (!value) return true;    // what cannot be read rules nothing out
  if (!*value) return false;  // the defaults have no effects
  if ((*value)->kind != AttrValue::Kind::kString) return true;
  return !(*value)->string.empty() && (*value)->string.starts_with(entry.prefix);
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
