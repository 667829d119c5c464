// The built-in table is a text with a line, or several, for all op types of one signature, embedded
// at build time:
//   TYPE[!]...|inputs|outputs|defaults   '!' marks a stateful type, lists are separated by ','
//   an argument is name:type, with type = [&] float | T | N*T | N*float | [Tlist]  ('&': reference)
//   a default is attr=type or attr=number
// Lower-case types are fixed, all others are names of attributes. Only requested lines are parsed.
// Source of the facts: the op registries of TensorFlow 2.15 and 1.13 (make_op_signatures.py).
#include "core/graph/op_signature.h"

#include <unordered_map>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/graph/op_signatures_text.h"

namespace tideline {
namespace {

struct Line {
  bool is_stateful;
  std::string_view fields;  // those behind the types
};

std::unordered_map<std::string_view, Line> all_lines() {
  std::unordered_map<std::string_view, Line> lines;
  for (std::string_view text = kOpSignaturesText; !text.empty();) {
    std::string_view fields = take_until(text, '\n');
    for (std::string_view types = take_until(fields, '|'); !types.empty();) {
      std::string_view type = take_until(types, ' ');
      const bool is_stateful = type.ends_with('!');
      type.remove_suffix(is_stateful ? 1 : 0);
      lines.emplace(type, Line{is_stateful, fields});
    }
  }
  return lines;
}

ArgSignature parse_argument(std::string_view text) {
  ArgSignature argument;
  const std::size_t colon = text.find(':');
  argument.name = text.substr(0, colon);
  std::string_view type = text.substr(colon + 1);
  if (type.starts_with('&')) {
    argument.is_reference = true;
    type.remove_prefix(1);
  }
  if (type.starts_with('[')) {
    argument.type_list_attr = type.substr(1, type.size() - 2);
    return argument;
  }
  if (const std::size_t star = type.find('*'); star != std::string_view::npos) {
    argument.number_attr = type.substr(0, star);
    type.remove_prefix(star + 1);
  }
  if (const auto fixed = parse_data_type(type)) {
    argument.type = *fixed;
  } else {
    argument.type_attr = type;
  }
  return argument;
}

void parse_default(std::string_view text, OpSignature& signature) {
  const std::size_t equals = text.find('=');
  const std::string attr(text.substr(0, equals));
  const std::string_view value = text.substr(equals + 1);
  if (const auto type = parse_data_type(value)) {
    signature.type_defaults.emplace_back(attr, *type);
    return;
  }
  signature.number_defaults.emplace_back(attr, parse_as<std::int64_t>(value).value_or(0));
}

}  // namespace

std::optional<OpSignature> builtin_signature(std::string_view type) {
  static const auto kLines = all_lines();
  const auto found = kLines.find(type);
  if (found == kLines.end()) return std::nullopt;
  OpSignature signature;
  signature.type = type;
  signature.is_stateful = found->second.is_stateful;
  std::string_view line = found->second.fields;
  for (const std::string& text : split_list(take_until(line, '|'), ',')) {
    signature.inputs.push_back(parse_argument(text));
  }
  for (const std::string& text : split_list(take_until(line, '|'), ',')) {
    signature.outputs.push_back(parse_argument(text));
  }
  for (const std::string& text : split_list(take_until(line, '|'), ',')) {
    parse_default(text, signature);
  }
  return signature;
}

}  // namespace tideline
