// The structural check of encoded messages: lengths, wire types, nesting and text encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/io/wire_rules.h"

namespace tideline::io {

/// The deepest nesting of messages that is read, as in TensorFlow.
inline constexpr int kMaxDepth = 100;

/// Where and why bytes are no message: `at` points at the offending byte.
struct WireProblem {
  const char* at = nullptr;
  std::string what;
};

/// Checks `message` by `rules`: every length stays inside its message, every tag has a real wire
/// type and number, groups close, messages nest at most kMaxDepth deep (`depth` is that of
/// `message`), `string` fields are UTF-8, packed lists hold whole numbers. What is not in the rules
/// is checked for its framing only. Cost: O(bytes), no allocation unless a problem is found.
[[nodiscard]] std::optional<WireProblem> check_message(std::string_view message,
                                                       const MessageRules& rules, int depth);

}  // namespace tideline::io
