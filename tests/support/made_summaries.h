// Summaries of the kinds that training writes, made by hand.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/events/event_numbers.h"
#include "core/events/record_writer.h"
#include "core/io/wire.h"

namespace tideline::test {

inline std::string bytes_field(std::uint32_t number, std::string_view content) {
  std::string bytes;
  io::append_bytes(bytes, number, content);
  return bytes;
}

inline std::string float_bytes(float value) {
  std::string bytes;
  append_little_endian(bytes, std::bit_cast<std::uint32_t>(value));
  return bytes;
}
inline std::string double_bytes(double value) {
  std::string bytes;
  append_little_endian(bytes, std::bit_cast<std::uint64_t>(value));
  return bytes;
}

/// A SummaryMetadata that names a plugin.
inline std::string plugin_metadata(std::string_view plugin) {
  return bytes_field(events::summary_metadata::kPluginData,
                     bytes_field(events::summary_metadata::kPluginName, plugin));
}

/// A value of a summary: a tag and `rest`, whole fields.
inline std::string summary_value_of(std::string_view tag, std::string_view rest) {
  return bytes_field(events::summary::kValue,
                     bytes_field(events::summary_value::kTag, tag) + std::string(rest));
}
inline std::string simple_value(std::string_view tag, float value) {
  return summary_value_of(tag, "\x15" + float_bytes(value));
}
/// A TensorProto of one float.
inline std::string float_tensor(float value) {
  return std::string("\x08\x01\x12\x00\x2a\x04", 6) + float_bytes(value);
}
/// A TensorProto of texts, of shape [n].
inline std::string text_tensor(const std::vector<std::string>& texts) {
  std::string tensor("\x08\x07\x12\x04\x12\x02\x08", 7);
  tensor += static_cast<char>(texts.size());
  for (const std::string& text : texts) tensor += bytes_field(8, text);
  return tensor;
}
/// `plugin` is left out when it is empty, as writers of TensorFlow 1 do from the second value on.
inline std::string tensor_value(std::string_view tag, std::string_view plugin,
                                std::string_view tensor) {
  std::string rest;
  if (!plugin.empty()) {
    rest += bytes_field(events::summary_value::kMetadata, plugin_metadata(plugin));
  }
  return summary_value_of(tag, rest + bytes_field(events::summary_value::kTensor, tensor));
}
/// A HistogramProto.
inline std::string histogram_of(double least, double most, const std::vector<double>& limits,
                                const std::vector<double>& counts) {
  std::string content = "\x09" + double_bytes(least) + "\x11" + double_bytes(most);
  std::string packed;
  for (const double limit : limits) packed += double_bytes(limit);
  content += bytes_field(events::histogram::kLimits, packed);
  packed.clear();
  for (const double count : counts) packed += double_bytes(count);
  return content + bytes_field(events::histogram::kCounts, packed);
}

/// An event with a summary of `values`.
inline std::string summary_event(std::int64_t step, std::string_view values, double wall_time = 1) {
  std::string event = "\x09" + double_bytes(wall_time);
  if (step != 0) {
    io::append_varint_field(event, events::event::kStep, static_cast<std::uint64_t>(step));
  }
  return event + bytes_field(events::event::kSummary, values);
}
/// The same as a record.
inline std::string summary_record(std::int64_t step, std::string_view values,
                                  double wall_time = 1) {
  return events::framed(summary_event(step, values, wall_time));
}

}  // namespace tideline::test
