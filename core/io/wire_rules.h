// Tables of the fields of each message, for the wire check.
#pragma once

#include <cstdint>
#include <string>
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

/// Rules by message, generated from the message descriptors of proto/ by the first call.
/// Thread: any.
[[nodiscard]] const MessageRules& graph_def_rules();
[[nodiscard]] const MessageRules& node_def_rules();
[[nodiscard]] const MessageRules& attribute_entry_rules();
[[nodiscard]] const MessageRules& meta_graph_def_rules();
[[nodiscard]] const MessageRules& saved_model_rules();
[[nodiscard]] const MessageRules& event_rules();
[[nodiscard]] const MessageRules& step_stats_rules();

}  // namespace tideline::io
