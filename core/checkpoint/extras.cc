// Tested by unit/checkpoint/convert_test.cc.
#include "core/checkpoint/extras.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/checkpoint/string_tensor.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

using Json = nlohmann::json;

constexpr const char* kSchema = "tideline.checkpoint/1";

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4U];
    text += kDigits[static_cast<unsigned char>(byte) & 0xfU];
  }
  return text;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::string> from_hexadecimal(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]);
    const int low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(16 * high + low);
  }
  return bytes;
}

tl::unexpected<Error> bad(const std::string& name, const char* field, const char* expected) {
  return fail(Code::kCorrupt, "tensor '{}': '{}': expected {}", printable(name), field, expected);
}

Status parse_strings(const std::string& name, const Json& entry, Extra& extra) {
  const auto shape = entry.find("shape");
  if (shape == entry.end() || !shape->is_array() || shape->size() > kMostDims) {
    return bad(name, "shape", "a list of sizes");
  }
  for (const Json& dim : *shape) {
    if (!dim.is_number_unsigned()) return bad(name, "shape", "a list of sizes");
    extra.dims.push_back(dim.get<std::int64_t>());
  }
  const Json& values = entry["strings"];
  std::vector<std::string> strings;
  for (const Json& value : values.is_array() ? values : Json::array()) {
    auto bytes = value.is_string() ? from_hexadecimal(value.get_ref<const std::string&>())
                                   : std::optional<std::string>();
    if (!bytes) return bad(name, "strings", "a list of hexadecimal digits");
    strings.push_back(*std::move(bytes));
  }
  if (!values.is_array() ||
      count_elements(extra.dims) != static_cast<std::int64_t>(strings.size())) {
    return bad(name, "strings", "as many as the shape says");
  }
  extra.type = DataType::kString;
  extra.strings = std::make_shared<const std::vector<std::string>>(std::move(strings));
  return {};
}

Result<Extra> parse_extra(const std::string& name, const Json& entry) {
  Extra extra;
  if (!entry.is_object()) return bad(name, "tensors", "an object");
  if (const auto crc = entry.find("crc32c"); crc != entry.end()) {
    const auto bytes = crc->is_string() ? from_hexadecimal(crc->get_ref<const std::string&>())
                                        : std::optional<std::string>();
    if (!bytes || bytes->size() != 4) return bad(name, "crc32c", "eight hexadecimal digits");
    extra.crc = 0;
    for (const char byte : *bytes) {
      extra.crc = *extra.crc << 8U | static_cast<unsigned char>(byte);
    }
  }
  if (entry.contains("strings")) {
    TIDELINE_RETURN_IF_ERROR(parse_strings(name, entry, extra));
  } else if (const auto type = entry.find("dtype"); type != entry.end()) {
    if (type->is_string()) extra.type = parse_stored_type(type->get_ref<const std::string&>());
    if (!extra.type) return bad(name, "dtype", "an element type");
  }
  return extra;
}

}  // namespace

Result<std::string> extras_text(const Extras& extras) {
  Json tensors = Json::object();
  for (const auto& [name, extra] : extras) {
    if (!is_utf8(name)) {
      return fail(Code::kUnsupported, "tensor '{}': its name is not UTF-8", printable(name));
    }
    Json entry = Json::object();
    if (extra.crc) entry["crc32c"] = fmt::format("{:08x}", *extra.crc);
    if (extra.type) entry["dtype"] = element_type_name(*extra.type);
    if (extra.strings) {
      entry["shape"] = extra.dims;
      entry["strings"] = Json::array();
      for (const std::string& text : *extra.strings) entry["strings"].push_back(hexadecimal(text));
    }
    tensors[name] = std::move(entry);
  }
  const Json json = {{"schema", kSchema}, {"tensors", std::move(tensors)}};
  return json.dump();
}

Result<Extras> parse_extras(std::string_view text) {
  // Deeper than the lists of a tensor there is nothing, and what is there is not kept.
  constexpr int kMostDepth = 3;
  const Json json = Json::parse(
      text,
      [](int depth, Json::parse_event_t event, Json&) {
        return depth <= kMostDepth || (event != Json::parse_event_t::array_start &&
                                       event != Json::parse_event_t::object_start);
      },
      false);
  if (!json.is_object() || json.value("schema", Json()) != kSchema) {
    return fail(Code::kCorrupt, "expected JSON of the schema {}", kSchema);
  }
  const auto tensors = json.find("tensors");
  if (tensors == json.end() || !tensors->is_object()) {
    return fail(Code::kCorrupt, "'tensors': expected an object");
  }
  Extras extras;
  for (const auto& [name, entry] : tensors->items()) {
    TIDELINE_TRY(Extra extra, parse_extra(name, entry));
    extras.emplace(name, std::move(extra));
  }
  return extras;
}

Extra describe_strings(const StoredTensor& tensor, std::vector<std::string> strings) {
  Extra extra;
  extra.crc = encode_strings(strings).crc;
  extra.dims = tensor.dims;
  extra.strings = std::make_shared<const std::vector<std::string>>(std::move(strings));
  return extra;
}

StoredTensor described_strings(std::string name, const Extra& extra) {
  StoredTensor tensor;
  tensor.name = std::move(name);
  tensor.type = DataType::kString;
  tensor.dims = extra.dims;
  tensor.strings = extra.strings;
  tensor.strings_crc = extra.crc;
  return tensor;
}

DataType carry(DataType type, std::vector<std::int64_t>& dims) {
  if (type == DataType::kComplex128) {
    dims.push_back(2);
    return DataType::kDouble;
  }
  switch (element_bytes(type).value_or(0)) {
    case 1: return DataType::kUint8;
    case 2: return DataType::kUint16;
    case 4: return DataType::kUint32;
    case 8: return DataType::kUint64;
    default: return DataType::kInvalid;
  }
}

Status apply_extra(const Extra& extra, StoredTensor& tensor) {
  if (extra.type) {
    if (*extra.type == DataType::kComplex128 && tensor.type == DataType::kDouble &&
        !tensor.dims.empty() && tensor.dims.back() == 2) {
      tensor.dims.pop_back();
    }
    const auto wanted = tensor_content_bytes(*extra.type, tensor.dims);
    if (!wanted || *wanted != tensor.stored_bytes()) {
      return fail(Code::kCorrupt, "tensor '{}': holds {}, which cannot be {}",
                  printable(tensor.name), describe(tensor.type, Shape::of(tensor.dims)),
                  element_type_name(*extra.type));
    }
    tensor.type = *extra.type;
  }
  if (extra.crc) tensor.pieces.front().crc = extra.crc;
  return {};
}

}  // namespace tideline::checkpoint
