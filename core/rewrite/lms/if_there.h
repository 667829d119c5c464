// Filters that may match nothing: "AddN?" is AddN where the graph has it.
#pragma once

#include <string_view>

namespace tideline {

/// What a filter names, a scope or a type, and whether that need not be there.
struct FilterEntry {
  std::string_view name;
  bool is_optional = false;
};

/// Names of ops and types have no question mark.
[[nodiscard]] inline FilterEntry filter_entry(std::string_view text) {
  const bool is_optional = !text.empty() && text.back() == '?';
  if (is_optional) text.remove_suffix(1);
  return {text, is_optional};
}

}  // namespace tideline
