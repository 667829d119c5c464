// Tested by unit/engine/say_test.cc and golden/files/names_test.py.
#include "app/engine/say.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "core/base/text.h"

namespace tideline::app {

std::string shown(std::string_view text) {
  return printable(text, std::string_view::npos);
}

std::string shown(Lines lines) {
  const std::string_view text = lines.text;
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\n\t", at), text.size());
    out += shown(text.substr(at, end - at));
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

void say_json(const nlohmann::ordered_json& json, int indent) {
  // Safe as it is, and maybe of many megabytes.
  const std::string text = json_text(json, indent) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace tideline::app
