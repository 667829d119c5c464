// Tested by unit/events/summary_writer_test.cc, integration/tensorboard_test.py.
#include "core/events/summary_writer.h"

#include <bit>

#include "core/base/bytes.h"
#include "core/events/event_numbers.h"
#include "core/events/run_metadata_numbers.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::events {
namespace {

using io::append_bytes;
using io::append_varint_field;

void append_double(std::string& out, std::uint32_t number, double value) {
  io::append_varint(
      out, std::uint64_t{number} << 3U | static_cast<std::uint64_t>(io::WireType::kFixed64));
  append_little_endian(out, std::bit_cast<std::uint64_t>(value));
}

// An event with a summary of one value: its tag and `rest`, whole fields.
std::string value_event(const EventTime& time, std::string_view tag, std::string_view rest) {
  std::string value;
  append_bytes(value, summary_value::kTag, tag);
  value += rest;
  std::string content;
  append_bytes(content, summary::kValue, value);
  std::string event = event_head(time);
  append_bytes(event, event::kSummary, content);
  return event;
}

// What a tensor's metadata say of how it is shown.
enum class DataClass : std::uint8_t { kTensor = 2 };

std::string tensor_field(std::string_view plugin, std::string_view plugin_content,
                         std::string_view tensor) {
  std::string data;
  append_bytes(data, summary_metadata::kPluginName, plugin);
  if (!plugin_content.empty()) append_bytes(data, summary_metadata::kPluginContent, plugin_content);
  std::string metadata;
  append_bytes(metadata, summary_metadata::kPluginData, data);
  append_varint_field(metadata, summary_metadata::kDataClass,
                      static_cast<std::uint64_t>(DataClass::kTensor));
  std::string fields;
  append_bytes(fields, summary_value::kTensor, tensor);
  append_bytes(fields, summary_value::kMetadata, metadata);
  return fields;
}

// The numbers of the hparams plugin's messages (plugin_data.proto, api.proto, struct.proto).
namespace hparams {
constexpr std::uint32_t kStart = 3, kEnd = 4;                 // in HParamsPluginData
constexpr std::uint32_t kParameters = 1, kStartTime = 5;      // in SessionStartInfo
constexpr std::uint32_t kStatus = 1, kEndTime = 2;            // in SessionEndInfo
constexpr std::uint32_t kNumber = 2, kText = 3, kSwitch = 4;  // in Value
constexpr std::uint64_t kSuccess = 1;
}  // namespace hparams

std::string hparams_event(const EventTime& time, std::string_view tag, std::uint32_t member,
                          std::string_view message) {
  std::string content;
  append_bytes(content, member, message);
  // TensorBoard wants a tensor beside the metadata that say everything: one float, 0.
  const std::string_view nothing("\x08\x01\x12\x04\x12\x02\x08\x01\x2a\x04\0\0\0\0", 14);
  return value_event(time, tag, tensor_field("hparams", content, nothing));
}

std::string hparam_value(const Hparam& hparam) {
  std::string value;
  if (const bool* choice = std::get_if<bool>(&hparam.value)) {
    append_varint_field(value, hparams::kSwitch, *choice ? 1 : 0);
  } else if (const double* number = std::get_if<double>(&hparam.value)) {
    append_double(value, hparams::kNumber, *number);
  } else {
    append_bytes(value, hparams::kText, std::get<std::string>(hparam.value));
  }
  return value;
}

std::string output_message(std::uint64_t slot, const WrittenOutput& output,
                           std::string_view allocator) {
  std::string shape;
  for (const std::int64_t dim : output.dims) {
    std::string size;
    append_varint_field(size, io::tensor_shape::kDimSize, static_cast<std::uint64_t>(dim));
    append_bytes(shape, io::tensor_shape::kDim, size);
  }
  if (!output.has_shape) append_varint_field(shape, io::tensor_shape::kUnknownRank, 1);
  std::string allocation;
  append_varint_field(allocation, allocation_description::kRequested,
                      static_cast<std::uint64_t>(output.bytes));
  append_varint_field(allocation, allocation_description::kAllocated,
                      static_cast<std::uint64_t>(output.bytes));
  append_bytes(allocation, allocation_description::kAllocator, allocator);
  std::string tensor;
  append_varint_field(tensor, tensor_description::kType, static_cast<std::uint64_t>(output.type));
  append_bytes(tensor, tensor_description::kShape, shape);
  append_bytes(tensor, tensor_description::kAllocation, allocation);
  std::string message;
  append_varint_field(message, op_output::kSlot, slot);
  append_bytes(message, op_output::kTensor, tensor);
  return message;
}

}  // namespace

std::string scalar_event(const EventTime& time, std::string_view tag, double value) {
  std::string field;
  io::append_varint(field, std::uint64_t{summary_value::kSimpleValue} << 3U |
                               static_cast<std::uint64_t>(io::WireType::kFixed32));
  append_little_endian(field, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  return value_event(time, tag, field);
}

std::string histogram_event(const EventTime& time, std::string_view tag,
                            std::span<const NumberCount> counts) {
  double count = 0;
  double sum = 0;
  double squares = 0;
  std::string limits;
  std::string buckets;
  const auto append_bucket = [&](double limit, double content) {
    append_little_endian(limits, std::bit_cast<std::uint64_t>(limit));
    append_little_endian(buckets, std::bit_cast<std::uint64_t>(content));
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto number = static_cast<double>(counts[i].number);
    const auto times = static_cast<double>(counts[i].count);
    count += times;
    sum += times * number;
    squares += times * number * number;
    // What lies between two numbers is a bucket, too.
    const bool has_gap = i > 0 && counts[i - 1].number + 1 < counts[i].number;
    if (has_gap) append_bucket(number - 0.5, 0);
    append_bucket(number + 0.5, times);
  }
  std::string content;
  if (!counts.empty()) {
    append_double(content, histogram::kMin, static_cast<double>(counts.front().number) - 0.5);
    append_double(content, histogram::kMax, static_cast<double>(counts.back().number) + 0.5);
  }
  append_double(content, histogram::kCount, count);
  append_double(content, histogram::kSum, sum);
  append_double(content, histogram::kSumSquares, squares);
  append_bytes(content, histogram::kLimits, limits);
  append_bytes(content, histogram::kCounts, buckets);
  std::string field;
  append_bytes(field, summary_value::kHistogram, content);
  return value_event(time, tag, field);
}

std::string image_event(const EventTime& time, std::string_view tag, int width, int height,
                        std::string_view png) {
  std::string content;
  append_varint_field(content, image::kHeight, static_cast<std::uint64_t>(height));
  append_varint_field(content, image::kWidth, static_cast<std::uint64_t>(width));
  append_varint_field(content, image::kColorSpace, 4);  // RGBA
  append_bytes(content, image::kEncoded, png);
  std::string field;
  append_bytes(field, summary_value::kImage, content);
  return value_event(time, tag, field);
}

std::string text_event(const EventTime& time, std::string_view tag, std::string_view markdown) {
  std::string tensor;
  append_varint_field(tensor, io::tensor_proto::kType,
                      static_cast<std::uint64_t>(DataType::kString));
  append_bytes(tensor, io::tensor_proto::kShape, "");
  append_bytes(tensor, io::tensor_proto::kStrings, markdown);
  return value_event(time, tag, tensor_field("text", "", tensor));
}

std::string hparams_start_event(const EventTime& time, std::span<const Hparam> hparams) {
  std::string start;
  for (const Hparam& hparam : hparams) {
    std::string entry;
    append_bytes(entry, io::map_entry::kKey, hparam.name);
    append_bytes(entry, io::map_entry::kValue, hparam_value(hparam));
    append_bytes(start, hparams::kParameters, entry);
  }
  append_double(start, hparams::kStartTime, time.wall_time_s);
  return hparams_event(time, "_hparams_/session_start_info", hparams::kStart, start);
}

std::string hparams_end_event(const EventTime& time) {
  std::string end;
  append_varint_field(end, hparams::kStatus, hparams::kSuccess);
  append_double(end, hparams::kEndTime, time.wall_time_s);
  return hparams_event(time, "_hparams_/session_end_info", hparams::kEnd, end);
}

std::string run_metadata_event(const EventTime& time, std::string_view tag,
                               std::string_view run_metadata) {
  std::string tagged;
  append_bytes(tagged, tagged::kTag, tag);
  append_bytes(tagged, tagged::kRunMetadata, run_metadata);
  std::string event = event_head(time);
  append_bytes(event, event::kTaggedRunMetadata, tagged);
  return event;
}

DeviceStatsWriter::DeviceStatsWriter(std::string_view device) {
  append_bytes(bytes_, device_stats::kName, device);
}

void DeviceStatsWriter::add(const WrittenExecution& execution) {
  const auto begin = static_cast<std::uint64_t>(execution.begin_ns);
  const auto length = static_cast<std::uint64_t>(execution.end_ns - execution.begin_ns);
  std::string stats;
  append_bytes(stats, op_stats::kName, execution.op);
  append_varint_field(stats, op_stats::kStartMicros, begin / 1000);
  // A kernel of less than a microsecond ran, too.
  const std::uint64_t micros = (length + 999) / 1000;
  append_varint_field(stats, op_stats::kOpEndMicros, micros);
  append_varint_field(stats, op_stats::kEndMicros, micros);
  if (execution.bytes > 0) {
    std::string memory;
    append_bytes(memory, op_memory::kAllocator, execution.allocator);
    append_varint_field(memory, op_memory::kTotal, static_cast<std::uint64_t>(execution.bytes));
    append_varint_field(memory, op_memory::kPeak, static_cast<std::uint64_t>(execution.bytes));
    append_bytes(stats, op_stats::kMemory, memory);
  }
  for (std::size_t slot = 0; slot < execution.outputs.size(); ++slot) {
    append_bytes(stats, op_stats::kOutput,
                 output_message(slot, execution.outputs[slot], execution.allocator));
  }
  append_bytes(stats, op_stats::kLabel, execution.label);
  append_varint_field(stats, op_stats::kStartNanos, begin);
  append_varint_field(stats, op_stats::kOpEndNanos, length);
  append_varint_field(stats, op_stats::kEndNanos, length);
  append_bytes(bytes_, device_stats::kOp, stats);
}

std::string run_metadata_of(std::span<const DeviceStatsWriter> devices) {
  std::string stats;
  for (const DeviceStatsWriter& device : devices) {
    append_bytes(stats, step_stats::kDevice, device.bytes());
  }
  std::string metadata;
  append_bytes(metadata, step_stats::kInRunMetadata, stats);
  return metadata;
}

}  // namespace tideline::events
