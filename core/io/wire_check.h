// The structural check of encoded messages: lengths, wire types, nesting and text encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/io/wire_rules.h"

namespace tideline::io {

/// Limit on the nesting of messages, as in TensorFlow.
inline constexpr int kMaxDepth = 100;

/// Where and why bytes are not a valid message. `at` points at the offending byte.
struct WireProblem {
  const char* at = nullptr;
  std::string what;
};

/// Checks `message` by `rules`: every length stays inside its message, every tag has a valid wire
/// type and number, groups are closed, messages nest at most kMaxDepth deep (`message` is at
/// `depth`), `string` fields are UTF-8, packed lists contain complete numbers. Of unknown fields
/// only the framing is checked. Cost: O(bytes); allocates only for a problem. Thread: pure.
[[nodiscard]] std::optional<WireProblem> check_message(std::string_view message,
                                                       const MessageRules& rules, int depth);

}  // namespace tideline::io
