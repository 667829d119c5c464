// Texts between quotes, for commands and calls that a user pastes.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/characters.h"

namespace tideline::app {

/// `text` between quotes, with a backslash before quotes and backslashes, and hidden characters as
/// `escape` (of their number and bytes) writes them. Both languages have such strings.
template <typename Escape>
[[nodiscard]] std::string escaped_text(std::string_view text, const Escape& escape) {
  std::string quoted = "'";
  for (std::size_t at = 0; at < text.size();) {
    const HiddenCharacter hidden = next_hidden(text, at);
    for (; at < hidden.at; ++at) {
      if (text[at] == '\\' || text[at] == '\'') quoted += '\\';
      quoted += text[at];
    }
    if (at == text.size()) break;
    const std::size_t bytes = std::max<std::size_t>(hidden.character.bytes, 1);
    quoted += escape(hidden.character, text.substr(at, bytes));
    at += bytes;
  }
  return quoted + "'";
}

}  // namespace tideline::app
