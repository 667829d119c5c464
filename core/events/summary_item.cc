// Problem: a log has millions of events of a hundred bytes, most of them one scalar. The wire check
//   with its tables and the general field reader cost more than the checksum.
// Idea: nearly all events are encoded alike: fields in the order of their numbers, each once, of
//   the wire types that the format declares. Such an event is read in one pass that also checks it;
//   whatever is different (a field twice, a group, an unknown number) goes the general way, so that
//   the quick way never has to decide what is valid.
// Example: 09 <8 bytes> 10 <step> 2a <length> { 0a <length> { 0a <tag> 15 <float> } }.
// Cost: O(bytes of the event without packed numbers and texts).
// Limits: texts (tags) are not checked to be UTF-8; the caller does when it meets a new one.
// Tested by unit/events/decode_events_test.cc, which compares both ways, and fuzz/fuzz_events.cc.
#include "core/events/summary_item.h"

#include <bit>
#include <cstring>

#include "core/events/event_numbers.h"
#include "core/graph/dtype.h"
#include "core/io/tensor_elements.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;

constexpr unsigned char key(std::uint32_t number, io::WireType type) {
  return static_cast<unsigned char>(number << 3U | static_cast<std::uint32_t>(type));
}
constexpr unsigned char bytes_key(std::uint32_t number) {
  return key(number, io::WireType::kBytes);
}

// A place in a message.
struct Cursor {
  const char* at;
  const char* end;

  explicit Cursor(std::string_view message)
      : at(message.data()), end(message.data() + message.size()) {}
  [[nodiscard]] bool is_done() const { return at == end; }
  [[nodiscard]] unsigned char take_key() { return static_cast<unsigned char>(*at++); }
  template <typename Number>
  [[nodiscard]] bool take_fixed(Number& number) {
    if (static_cast<std::size_t>(end - at) < sizeof number) return false;
    std::memcpy(&number, at, sizeof number);
    at += sizeof number;
    return true;
  }
  [[nodiscard]] bool take_varint(std::uint64_t& number) { return io::read_varint(at, end, number); }
  [[nodiscard]] bool take_bytes(std::string_view& bytes) {
    std::uint64_t length = 0;
    if (!io::read_length(at, end, length)) return false;
    if (length > static_cast<std::uint64_t>(end - at)) return false;
    bytes = {at, static_cast<std::size_t>(length)};
    at += length;
    return true;
  }
};
static_assert(std::endian::native == std::endian::little, "fixed numbers are copied as they are");

bool is_usual_dim(std::string_view dim) {
  Cursor cursor(dim);
  std::uint64_t size = 0;
  return dim.empty() ||
         (cursor.take_key() == key(io::tensor_shape::kDimSize, io::WireType::kVarint) &&
          cursor.take_varint(size) && cursor.is_done());
}

bool is_usual_shape(std::string_view shape) {
  Cursor cursor(shape);
  while (!cursor.is_done()) {
    std::string_view dim;
    if (cursor.take_key() != bytes_key(io::tensor_shape::kDim) || !cursor.take_bytes(dim) ||
        !is_usual_dim(dim)) {
      return false;
    }
  }
  return true;
}

bool is_usual_tensor(std::string_view tensor) {
  Cursor cursor(tensor);
  std::uint64_t number = 0;
  std::string_view bytes;
  while (!cursor.is_done()) {
    switch (cursor.take_key()) {
      case key(io::tensor_proto::kType, io::WireType::kVarint):
        if (!cursor.take_varint(number)) return false;
        break;
      case bytes_key(io::tensor_proto::kShape):
        if (!cursor.take_bytes(bytes) || !is_usual_shape(bytes)) return false;
        break;
      case bytes_key(io::tensor_proto::kContent):
      case bytes_key(io::tensor_proto::kStrings):
        if (!cursor.take_bytes(bytes)) return false;
        break;
      case bytes_key(io::tensor_proto::kFloats):
        if (!cursor.take_bytes(bytes) || bytes.size() % sizeof(float) != 0) return false;
        break;
      case bytes_key(io::tensor_proto::kDoubles):
        if (!cursor.take_bytes(bytes) || bytes.size() % sizeof(double) != 0) return false;
        break;
      default: return false;
    }
  }
  return true;
}

bool is_usual_histogram(std::string_view histogram) {
  Cursor cursor(histogram);
  double number = 0;
  std::string_view bytes;
  while (!cursor.is_done()) {
    const unsigned char next = cursor.take_key();
    const unsigned number_of = next >> 3U;
    if (number_of >= histogram::kMin && number_of <= histogram::kSumSquares) {
      if ((next & 7U) != static_cast<unsigned>(io::WireType::kFixed64)) return false;
      if (!cursor.take_fixed(number)) return false;
    } else if (next == bytes_key(histogram::kLimits) || next == bytes_key(histogram::kCounts)) {
      if (!cursor.take_bytes(bytes) || bytes.size() % sizeof(double) != 0) return false;
    } else {
      return false;
    }
  }
  return true;
}

// Where the number of a tensor of one float lies in its usual encoding; null in any other.
const char* single_float(std::string_view tensor) {
  constexpr std::string_view kFloat("\x08\x01\x12\x00", 4);
  const bool is_usual = tensor.size() == 10 && tensor.starts_with(kFloat) && tensor[5] == 4 &&
                        (tensor[4] == bytes_key(io::tensor_proto::kFloats) ||
                         tensor[4] == bytes_key(io::tensor_proto::kContent));
  return is_usual ? tensor.data() + 6 : nullptr;
}

bool read_usual_value(std::string_view value, SummaryItem& item) {
  Cursor cursor(value);
  const auto take_content = [&](ValueForm form) {
    if (item.form != ValueForm::kNothing) return false;
    item.form = form;
    return cursor.take_bytes(item.content);
  };
  while (!cursor.is_done()) {
    switch (cursor.take_key()) {
      case bytes_key(summary_value::kTag):
        if (!item.tag.empty() || !cursor.take_bytes(item.tag)) return false;
        break;
      case key(summary_value::kSimpleValue, io::WireType::kFixed32):
        if (item.form != ValueForm::kNothing || !cursor.take_fixed(item.simple_value)) return false;
        item.form = ValueForm::kSimple;
        item.number = cursor.at - sizeof item.simple_value;
        break;
      case bytes_key(summary_value::kHistogram):
        if (!take_content(ValueForm::kHistogram) || !is_usual_histogram(item.content)) return false;
        break;
      case bytes_key(summary_value::kTensor):
        if (!take_content(ValueForm::kTensor) || !is_usual_tensor(item.content)) return false;
        item.number = single_float(item.content);
        break;
      case bytes_key(summary_value::kMetadata):
        if (!item.metadata.empty() || !cursor.take_bytes(item.metadata)) return false;
        break;
      default: return false;
    }
  }
  return !item.tag.empty() && item.form != ValueForm::kNothing;
}

}  // namespace

bool read_usual_event(std::string_view record, Event& event) {
  event = {};
  Cursor cursor(record);
  bool has_summary = false;
  while (!cursor.is_done()) {
    switch (cursor.take_key()) {
      case key(event::kWallTime, io::WireType::kFixed64):
        if (!cursor.take_fixed(event.wall_time)) return false;
        break;
      case key(event::kStep, io::WireType::kVarint): {
        std::uint64_t step = 0;
        if (!cursor.take_varint(step)) return false;
        event.step = static_cast<std::int64_t>(step);
        break;
      }
      case bytes_key(event::kSummary):
        if (has_summary || !cursor.take_bytes(event.content)) return false;
        has_summary = true;
        break;
      default: return false;
    }
  }
  event.kind = EventKind::kSummary;
  return has_summary;
}

bool read_usual_values(std::string_view summary, std::vector<SummaryItem>& items) {
  items.clear();
  Cursor values(summary);
  while (!values.is_done()) {
    const char* const begin = values.at;
    std::string_view value;
    SummaryItem& item = items.emplace_back();
    if (values.take_key() != bytes_key(summary::kValue) || !values.take_bytes(value) ||
        !read_usual_value(value, item)) {
      return false;
    }
    item.encoded = {begin, static_cast<std::size_t>(values.at - begin)};
  }
  return true;
}

std::int64_t read_checked_summary(std::string_view content, std::vector<SummaryItem>& items) {
  items.clear();
  std::int64_t refused = 0;
  FieldReader values(content);
  Field value;
  while (values.next(value)) {
    if (!value.is_bytes(summary::kValue)) continue;
    SummaryItem item;
    std::string_view node_name;
    int contents = 0;
    int metadata = 0;
    FieldReader fields(value.bytes);
    Field field;
    while (fields.next(field)) {
      if (field.number == summary_value::kSimpleValue && field.type == io::WireType::kFixed32) {
        item.form = ValueForm::kSimple;
        item.simple_value = std::bit_cast<float>(static_cast<std::uint32_t>(field.varint));
        ++contents;
      }
      if (field.type != io::WireType::kBytes) continue;
      const auto take = [&](ValueForm form) {
        item.form = form;
        item.content = field.bytes;
        ++contents;
      };
      switch (field.number) {
        case summary_value::kTag: item.tag = field.bytes; break;
        case summary_value::kNodeName: node_name = field.bytes; break;
        case summary_value::kMetadata:
          item.metadata = field.bytes;
          ++metadata;
          break;
        case summary_value::kOldHistogram: take(ValueForm::kOldHistogram); break;
        case summary_value::kImage: take(ValueForm::kImage); break;
        case summary_value::kHistogram: take(ValueForm::kHistogram); break;
        case summary_value::kAudio: take(ValueForm::kAudio); break;
        case summary_value::kTensor: take(ValueForm::kTensor); break;
        default: break;
      }
    }
    if (contents > 1 || metadata > 1) {
      ++refused;
      continue;
    }
    // Tensors of early versions have their name there, and TensorBoard reads it, too.
    if (item.tag.empty() && item.form == ValueForm::kTensor) item.tag = node_name;
    items.push_back(item);
  }
  return refused;
}

bool tensor_number(std::string_view tensor, double& number) {
  if (const char* const at = single_float(tensor)) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    number = value;
    return true;
  }
  return io::decode_number(tensor, number);
}

std::string_view plugin_of(std::string_view metadata) {
  const auto last = [](std::string_view message, std::uint32_t number) {
    FieldReader reader(message);
    Field field;
    std::string_view found;
    while (reader.next(field)) {
      if (field.is_bytes(number)) found = field.bytes;
    }
    return found;
  };
  return last(last(metadata, summary_metadata::kPluginData), summary_metadata::kPluginName);
}

}  // namespace tideline::events
