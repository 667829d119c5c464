#include "core/events/event_scan.h"

#include <bit>

#include "core/events/event_numbers.h"
#include "core/io/wire_check.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;
using io::WireType;

EventKind kind_of(std::uint32_t number) {
  switch (number) {
    case event::kFileVersion: return EventKind::kFileVersion;
    case event::kGraphDef: return EventKind::kGraphDef;
    case event::kSummary: return EventKind::kSummary;
    case event::kTaggedRunMetadata: return EventKind::kRunMetadata;
    case event::kMetaGraphDef: return EventKind::kMetaGraphDef;
    case event::kLogMessage: return EventKind::kLogMessage;
    case event::kSessionLog: return EventKind::kSessionLog;
    default: return EventKind::kNothing;
  }
}

// The content of field `number`; of several the last counts, as for any protobuf reader.
std::string_view last_bytes(std::string_view message, std::uint32_t number) {
  FieldReader reader(message);
  Field field;
  std::string_view found;
  while (reader.next(field)) {
    if (field.is_bytes(number)) found = field.bytes;
  }
  return found;
}

std::string_view first_bytes(std::string_view message, std::uint32_t number) {
  FieldReader reader(message);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(number)) return field.bytes;
  }
  return {};
}

SummaryValue value_of(std::string_view message) {
  const std::string_view metadata = last_bytes(message, summary_value::kMetadata);
  const std::string_view plugin = last_bytes(metadata, summary_metadata::kPluginData);
  return {last_bytes(message, summary_value::kTag),
          last_bytes(plugin, summary_metadata::kPluginName),
          first_bytes(last_bytes(message, summary_value::kTensor), tensor::kStringValue)};
}

}  // namespace

Result<Event> scan_event(std::string_view record) {
  if (const auto problem = io::check_message(record, io::message_rules().event, 0)) {
    return fail(Code::kCorrupt, "byte {} of the data: {}", problem->at - record.data(),
                problem->what);
  }
  Event found;
  FieldReader reader(record);
  Field field;
  while (reader.next(field)) {
    if (field.number == event::kWallTime && field.type == WireType::kFixed64) {
      found.wall_time = std::bit_cast<double>(field.varint);
    } else if (field.is_varint(event::kStep)) {
      found.step = static_cast<std::int64_t>(field.varint);
    } else if (field.type == WireType::kBytes && field.number >= event::kFileVersion &&
               field.number <= event::kMetaGraphDef) {
      // They exclude one another; the last one counts.
      found.kind = kind_of(field.number);
      found.content = field.bytes;
      ++found.contents;
    }
  }
  return found;
}

TaggedBytes tagged_run_metadata(std::string_view content) {
  return {last_bytes(content, tagged::kTag), last_bytes(content, tagged::kRunMetadata)};
}

bool SummaryReader::next(SummaryValue& value) {
  Field field;
  while (fields_.next(field)) {
    if (!field.is_bytes(summary::kValue)) continue;
    value = value_of(field.bytes);
    return true;
  }
  return false;
}

}  // namespace tideline::events
