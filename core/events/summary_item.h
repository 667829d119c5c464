// Reads the events that logs are mostly made of: summaries, value by value.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/events/event_rows.h"
#include "core/events/event_scan.h"

namespace tideline::events {

/// One value of a summary. Views point into the record.
struct SummaryItem {
  std::string_view tag;
  std::string_view metadata;  ///< an encoded SummaryMetadata; empty without
  std::string_view content;   ///< of the message that `form` names
  float simple_value = 0;
  ValueForm form = ValueForm::kNothing;
  std::string_view
      encoded;  ///< key, length and message; empty if read_usual_values did not read it
  const char* number = nullptr;  ///< of a simple value or a tensor of one float: its four bytes
};

/// A quick look at `record`. True when it is an event with a summary in the usual encoding: `event`
/// is then complete and checked but for the bytes of the summary. False says nothing; the wire
/// check must decide. Thread: pure.
[[nodiscard]] bool read_usual_event(std::string_view record, Event& event);

/// The same for the content of the summary: `items` are complete, and everything is checked but the
/// bytes of tags and metadata (UTF-8, and what is inside metadata).
/// Cost: O(bytes), a few nanoseconds a value. Thread: pure.
[[nodiscard]] bool read_usual_values(std::string_view summary, std::vector<SummaryItem>& items);

/// The values of a summary that passed the wire check. Returns how many were refused because they
/// have a field twice, which readers may take in different ways.
[[nodiscard]] std::int64_t read_checked_summary(std::string_view content,
                                                std::vector<SummaryItem>& items);

/// The number in an encoded TensorProto with one element of a numeric type. False for any other.
[[nodiscard]] bool tensor_number(std::string_view tensor, double& number);

/// The name of the plugin in an encoded SummaryMetadata.
[[nodiscard]] std::string_view plugin_of(std::string_view metadata);

}  // namespace tideline::events
