#include "app/engine/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/characters.h"

namespace tideline::app {
namespace {

using Replace = nlohmann::json::error_handler_t;

// The library escapes what JSON demands, which is C0 alone. What else is hidden can stand in
// strings only; line ends stand outside of them only.
std::string escaped(std::string text) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    HiddenCharacter hidden = next_hidden(text, at);
    while (hidden.at < text.size() && text[hidden.at] == '\n') {
      hidden = next_hidden(text, hidden.at + 1);
    }
    if (hidden.at == text.size()) break;
    out.append(text, at, hidden.at - at);
    const auto [point, bytes] = hidden.character;
    if (point > 0xffff) {
      const std::uint32_t rest = point - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10U), 0xdc00 + (rest & 0x3ffU));
    } else {
      out += fmt::format("\\u{:04x}", point);
    }
    at = hidden.at + bytes;
  }
  if (at == 0) return text;
  return out.append(text, at);
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return escaped(json.dump(indent, ' ', false, Replace::replace));
}

std::string json_text(const nlohmann::json& json, int indent) {
  return escaped(json.dump(indent, ' ', false, Replace::replace));
}

}  // namespace tideline::app
