// The built-in table is a sorted text with one line for each op type, embedded at build time:
//   TYPE[!]|inputs|outputs|defaults      '!' marks a stateful type, lists are separated by ','
//   an argument is name:type, with type = [&] float | T | N*T | N*float | [Tlist]  ('&': reference)
//   a default is attr=type or attr=number
// Lower-case types are fixed, all others are names of attributes. Only requested lines are parsed.
// Source of the facts: the op registries of TensorFlow 2.15 and 1.13 (make_op_signatures.py).
#include "core/graph/op_signature.h"

#include <algorithm>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/graph/op_signatures_text.h"

namespace tideline {
namespace {

std::string_view type_of_line(std::string_view line) {
  std::string_view type = line.substr(0, line.find('|'));
  if (!type.empty() && type.back() == '!') type.remove_suffix(1);
  return type;
}

// The line for `type`, found by halving byte positions and stepping to the start of a line.
std::string_view find_line(std::string_view table, std::string_view type) {
  std::size_t low = 0;
  std::size_t high = table.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t before = table.rfind('\n', middle == 0 ? 0 : middle - 1);
    const std::size_t start = middle == 0 || before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(table.find('\n', start), table.size());
    const std::string_view line = table.substr(start, end - start);
    const int order = type_of_line(line).compare(type);
    if (order == 0) return line;
    if (order < 0) {
      low = end + 1;
    } else {
      high = start;
    }
  }
  return {};
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
  std::string_view line = find_line(kOpSignaturesText, type);
  if (line.empty() || type.empty()) return std::nullopt;
  OpSignature signature;
  signature.type = type;
  signature.is_stateful = take_until(line, '|').ends_with('!');
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
