// The structural check of encoded messages: lengths, wire types, nesting and text encoding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::io {

struct MessageRules;

/// How to interpret the length-delimited payload of a known field.
struct FieldRule {
  enum class Kind : std::uint8_t { kUnknown, kScalar, kText, kBytes, kMessage };
  enum class Packed : std::uint8_t { kNo, kVarint, kFixed32, kFixed64 };
  Kind kind = Kind::kUnknown;
  Packed packed = Packed::kNo;
  const MessageRules* message = nullptr;
  std::string name;
};

/// Rules by field number; numbers past the end are unknown fields.
struct MessageRules {
  std::string name;
  std::vector<FieldRule> fields;

  [[nodiscard]] const FieldRule* find(std::uint64_t number) const {
    return number < fields.size() ? &fields[number] : nullptr;
  }
};

/// The rules of the messages that are checked.
struct CheckedMessages {
  const MessageRules& graph_def;
  const MessageRules& node_def;
  const MessageRules& attribute_entry;
  const MessageRules& meta_graph_def;
  const MessageRules& saved_model;
  const MessageRules& event;
  const MessageRules& step_stats;
};
/// Generated from the message descriptors of proto/ by the first call. Thread: any.
[[nodiscard]] const CheckedMessages& message_rules();

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
