// Small event files, made by hand.
#pragma once

#include <string>
#include <string_view>

#include "core/events/event_numbers.h"
#include "core/events/record_writer.h"
#include "core/io/wire.h"

namespace tideline::test {

/// A length-delimited field.
inline std::string field(std::uint32_t number, std::string_view content) {
  std::string bytes;
  io::append_bytes(bytes, number, content);
  return bytes;
}

/// An Event at `step` (below 128), 1.0 seconds after 1970, with one more field.
inline std::string event(int step, std::uint32_t number, std::string_view content) {
  std::string bytes("\x09\0\0\0\0\0\0\xf0\x3f\x10", 10);
  bytes += static_cast<char>(step);
  return bytes + field(number, content);
}

/// The content of a TaggedRunMetadata.
inline std::string tagged(std::string_view tag, std::string_view metadata) {
  return field(events::tagged::kTag, tag) + field(events::tagged::kRunMetadata, metadata);
}

/// The content of a Summary with one value: `text` as a tensor, for `plugin` when it is not empty.
inline std::string summary(std::string_view tag, std::string_view plugin, std::string_view text) {
  std::string value = field(events::summary_value::kTag, tag);
  if (!plugin.empty()) {
    value += field(events::summary_value::kMetadata,
                   field(events::summary_metadata::kPluginData,
                         field(events::summary_metadata::kPluginName, plugin)));
  }
  value += field(events::summary_value::kTensor, field(events::tensor::kStringValue, text));
  return field(events::summary::kValue, value);
}

/// A GraphDef of one op.
inline std::string small_graph(std::string_view name) {
  return field(1, field(1, name) + field(2, "NoOp"));
}

/// The file version that begins every log, and the events, each in its record.
template <typename... Events>
std::string log_of(const Events&... events) {
  std::string bytes =
      tideline::events::framed(event(0, tideline::events::event::kFileVersion, "brain.Event:2"));
  ((bytes += tideline::events::framed(events)), ...);
  return bytes;
}

}  // namespace tideline::test
