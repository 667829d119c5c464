// Tested by unit/events/row_values_test.cc, integration/event_log_test.py.
#include "core/events/row_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/bytes.h"
#include "core/events/event_numbers.h"
#include "core/io/tensor_elements.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;

void append_doubles(const Field& field, std::vector<double>& numbers) {
  if (field.type == io::WireType::kFixed64) numbers.push_back(std::bit_cast<double>(field.varint));
  if (field.type != io::WireType::kBytes) return;
  for (std::size_t at = 0; at + 8 <= field.bytes.size(); at += 8) {
    numbers.push_back(std::bit_cast<double>(from_little_endian(field.bytes.substr(at, 8))));
  }
}

// An end of the bucket `i`: 0 for the left one, 1 for the right one. Where there is no limit, or
// one that means all numbers beyond, it is the other end.
double limit_at(const std::vector<double>& limits, std::size_t i, std::size_t side) {
  constexpr double kAllBeyond = 1e300;
  const auto is_limit = [&](std::size_t place) {
    return place > 0 && place <= limits.size() && std::abs(limits[place - 1]) < kAllBeyond;
  };
  const std::size_t place = is_limit(i + side) ? i + side : i + 1 - side;
  return is_limit(place) ? limits[place - 1] : 0;
}

Result<std::vector<HistogramBucket>> buckets_of_proto(std::string_view content) {
  double least = 0;
  double most = 0;
  double count = 0;
  std::vector<double> limits;
  std::vector<double> counts;
  FieldReader reader(content);
  Field field;
  while (reader.next(field)) {
    switch (field.number) {
      case histogram::kMin: least = std::bit_cast<double>(field.varint); break;
      case histogram::kMax: most = std::bit_cast<double>(field.varint); break;
      case histogram::kCount: count = std::bit_cast<double>(field.varint); break;
      case histogram::kLimits: append_doubles(field, limits); break;
      case histogram::kCounts: append_doubles(field, counts); break;
      default: break;
    }
  }
  std::size_t first = 0;
  std::size_t last = counts.size();
  while (first < last && !(counts[first] > 0)) ++first;
  while (last > first && !(counts[last - 1] > 0)) --last;
  if (last > first && limits.size() + 1 < last) {
    return fail(Code::kCorrupt, "a histogram with {} limits and {} counts", limits.size(),
                counts.size());
  }
  const bool is_finite = std::isfinite(least) && std::isfinite(most);
  std::vector<HistogramBucket> buckets;
  double counted = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double left = i == first && std::isfinite(least) ? least : limit_at(limits, i, 0);
    const double right = i + 1 == last && std::isfinite(most) ? most : limit_at(limits, i, 1);
    buckets.push_back({left, right, counts[i]});
    counted += counts[i];
  }
  // PyTorch counts them in no bucket, and takes least and most of all values.
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!is_finite) buckets.push_back({kNan, kNan, std::max(0.0, count - counted)});
  return buckets;
}

}  // namespace

std::uint64_t most_tensor_bytes(std::string_view tensor) {
  // An empty text is listed in two bytes, a number of eight in one; 16 is what either takes,
  // decoded.
  constexpr std::uint64_t kDecodedBytes = 16;
  constexpr std::uint64_t kRepeatedBytes = std::uint64_t{16} << 20U;
  return kDecodedBytes * tensor.size() + kRepeatedBytes;
}

Result<std::vector<HistogramBucket>> histogram_buckets(ValueForm form, std::string_view content) {
  if (form == ValueForm::kHistogram) return buckets_of_proto(content);
  TIDELINE_TRY(const io::TensorElements tensor,
               io::decode_elements(content, most_tensor_bytes(content)));
  if (tensor.dims.size() != 2 || tensor.dims[1] != 3) {
    return fail(Code::kCorrupt, "a histogram of {} dimensions; expected a tensor of shape [n,3]",
                tensor.dims.size());
  }
  std::vector<HistogramBucket> buckets;
  for (std::int64_t i = 0; i < tensor.dims[0]; ++i) {
    const auto number = [&](std::int64_t column) {
      return io::element_number(tensor, 3 * i + column).value_or(0);
    };
    buckets.push_back({number(0), number(1), number(2)});
  }
  return buckets;
}

Result<ImageValues> image_values(ValueForm form, std::string_view content) {
  ImageValues images;
  FieldReader reader(content);
  Field field;
  if (form == ValueForm::kImage) {
    while (reader.next(field)) {
      if (field.is_varint(image::kWidth)) images.width = static_cast<std::int64_t>(field.varint);
      if (field.is_varint(image::kHeight)) images.height = static_cast<std::int64_t>(field.varint);
      if (field.is_bytes(image::kEncoded)) images.encoded = {field.bytes};
    }
    return images;
  }
  // The texts are width and height, in digits, and then the images.
  TIDELINE_TRY(const io::TensorElements tensor,
               io::decode_elements(content, most_tensor_bytes(content)));
  if (tensor.dims.size() != 1 || tensor.texts.size() < 2) {
    return fail(Code::kCorrupt, "images that are no list of width, height and files");
  }
  const auto number = [](std::string_view digits) {
    std::int64_t value = 0;
    for (const char digit : digits.substr(0, 9)) {
      if (digit < '0' || digit > '9') break;
      value = 10 * value + (digit - '0');
    }
    return value;
  };
  images.width = number(tensor.texts[0]);
  images.height = number(tensor.texts[1]);
  images.encoded.assign(tensor.texts.begin() + 2, tensor.texts.end());
  return images;
}

Result<std::vector<std::string_view>> audio_values(ValueForm form, std::string_view content) {
  std::vector<std::string_view> recordings;
  if (form == ValueForm::kAudio) {
    FieldReader reader(content);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(audio::kEncoded)) recordings = {field.bytes};
    }
    return recordings;
  }
  TIDELINE_TRY(const io::TensorElements tensor,
               io::decode_elements(content, most_tensor_bytes(content)));
  // With two dimensions each recording has a label behind it.
  const std::size_t stride = tensor.dims.size() > 1 && tensor.dims[0] > 0
                                 ? static_cast<std::size_t>(tensor.count / tensor.dims[0])
                                 : 1;
  for (std::size_t i = 0; stride > 0 && i < tensor.texts.size(); i += stride) {
    recordings.push_back(tensor.texts[i]);
  }
  return recordings;
}

Result<TextValues> text_values(std::string_view content) {
  TIDELINE_TRY(const io::TensorElements tensor,
               io::decode_elements(content, most_tensor_bytes(content)));
  if (tensor.type != DataType::kString) {
    return fail(Code::kCorrupt, "a text that is no tensor of strings");
  }
  TextValues values;
  values.texts = tensor.texts;
  if (tensor.dims.size() > 1 && tensor.dims.back() > 0) {
    values.columns = static_cast<std::size_t>(tensor.dims.back());
  }
  return values;
}

const char* file_ending(std::string_view encoded) {
  if (encoded.starts_with("\x89PNG")) return ".png";
  if (encoded.starts_with("\xff\xd8\xff")) return ".jpg";
  if (encoded.starts_with("GIF8")) return ".gif";
  if (encoded.starts_with("RIFF") && encoded.substr(0, 12).ends_with("WAVE")) return ".wav";
  return ".bin";
}

SessionLogValue session_log_value(std::string_view content) {
  SessionLogValue value;
  std::uint64_t status = 0;
  FieldReader reader(content);
  Field field;
  while (reader.next(field)) {
    if (field.is_varint(session_log::kStatus)) status = field.varint;
    if (field.is_bytes(session_log::kCheckpoint)) value.checkpoint = field.bytes;
    if (field.is_bytes(session_log::kMessage)) value.message = field.bytes;
  }
  switch (status) {
    case 1: value.status = "START"; break;
    case 2: value.status = "STOP"; break;
    case 3: value.status = "CHECKPOINT"; break;
    default: value.status = std::to_string(status); break;
  }
  return value;
}

std::string_view plugin_content(std::string_view metadata) {
  std::string_view found;
  FieldReader reader(metadata);
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(summary_metadata::kPluginData)) continue;
    FieldReader plugin(field.bytes);
    Field part;
    while (plugin.next(part)) {
      if (part.is_bytes(summary_metadata::kPluginContent)) found = part.bytes;
    }
  }
  return found;
}

std::string_view blob_of(ValueForm form, std::string_view content) {
  if (form != ValueForm::kTensor) return content;
  FieldReader reader(content);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(io::tensor_proto::kStrings)) return field.bytes;
  }
  return {};
}

}  // namespace tideline::events
