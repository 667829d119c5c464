// Tested by unit/rewrite/plan_json_reader_test.cc and property/plan_property.cc.
#include "core/rewrite/plan/attribute_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline {
namespace {

using nlohmann::json;
using Ordered = nlohmann::ordered_json;

Ordered shape_json(const Shape& shape) {
  if (!shape.has_rank) return nullptr;
  Ordered list = Ordered::array();
  for (const std::int64_t dim : shape.dims) {
    list.push_back(dim == kUnknownDim ? Ordered(nullptr) : Ordered(dim));
  }
  return list;
}

// The plain form of a decoded value; null when it has none.
Ordered plain_form(const AttrValue& value) {
  switch (value.kind) {
    case AttrValue::Kind::kType: return data_type_name(value.type);
    case AttrValue::Kind::kBool: return value.boolean;
    case AttrValue::Kind::kInt: return value.integer;
    case AttrValue::Kind::kFloat: return {{"float", static_cast<double>(value.number)}};
    case AttrValue::Kind::kShape: return {{"shape", shape_json(value.shape)}};
    case AttrValue::Kind::kString:
      return is_utf8(value.string) ? Ordered{{"string", value.string}} : Ordered(nullptr);
    case AttrValue::Kind::kList: break;
    default: return nullptr;
  }
  if (!value.shapes.empty()) {
    Ordered list = Ordered::array();
    for (const Shape& shape : value.shapes) list.push_back(shape_json(shape));
    return list;
  }
  if (!value.types.empty()) {
    Ordered list = Ordered::array();
    for (const DataType type : value.types) list.push_back(data_type_name(type));
    return {{"types", std::move(list)}};
  }
  if (!value.integers.empty()) return {{"integers", value.integers}};
  for (const std::string& text : value.strings) {
    if (!is_utf8(text)) return nullptr;
  }
  return value.strings.empty() ? Ordered(nullptr) : Ordered{{"strings", value.strings}};
}

std::optional<DataType> type_from(const json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& name = value.get_ref<const std::string&>();
  if (!name.starts_with("DT_")) return std::nullopt;
  if (const auto known = parse_data_type(name)) return known;
  const auto number = parse_as<std::uint32_t>(std::string_view(name).substr(3));
  return number ? std::optional(static_cast<DataType>(*number)) : std::nullopt;  // not known
}

std::optional<std::int64_t> integer_from(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return std::nullopt;
  return value.get<std::int64_t>();
}

std::optional<Shape> shape_from(const json& value) {
  if (value.is_null()) return Shape::unknown();
  if (!value.is_array()) return std::nullopt;
  std::vector<std::int64_t> dims;
  for (const json& dim : value) {
    const auto known = dim.is_null() ? std::optional(kUnknownDim) : integer_from(dim);
    if (!known || (*known < 0 && !dim.is_null())) return std::nullopt;
    dims.push_back(*known);
  }
  return Shape::of(std::move(dims));
}

// Every element of a list, read by `read`; nothing when one cannot be read.
template <typename Item, typename Read>
bool read_list(const json& list, const Read& read, std::vector<Item>& items) {
  if (!list.is_array()) return false;
  for (const json& element : list) {
    auto item = read(element);
    if (!item) return false;
    items.push_back(*std::move(item));
  }
  return !items.empty();
}

std::optional<std::string> string_from(const json& value) {
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

// {"string": ...} and its likes.
bool read_object(const json& object, AttrValue& value) {
  if (object.size() != 1) return false;
  const std::string& key = object.begin().key();
  const json& content = object.begin().value();
  value.kind = AttrValue::Kind::kList;
  if (key == "strings") return read_list(content, string_from, value.strings);
  if (key == "types") return read_list(content, type_from, value.types);
  if (key == "integers") return read_list(content, integer_from, value.integers);
  if (key == "float" && content.is_number()) {
    value.kind = AttrValue::Kind::kFloat;
    value.number = content.get<float>();
    return true;
  }
  if (key == "string" && content.is_string()) {
    value.kind = AttrValue::Kind::kString;
    value.string = content.get<std::string>();
    return true;
  }
  const auto shape = key == "shape" ? shape_from(content) : std::nullopt;
  if (shape) value = AttrValue::of_shape(*shape);
  return shape.has_value();
}

bool read_plain(const json& given, AttrValue& value) {
  if (given.is_boolean()) {
    value = AttrValue::of_bool(given.get<bool>());
    return true;
  }
  if (given.is_string()) {
    const auto type = type_from(given);
    if (type) value = AttrValue::of_type(*type);
    return type.has_value();
  }
  if (given.is_array()) {
    value.kind = AttrValue::Kind::kList;
    return read_list(given, shape_from, value.shapes);
  }
  if (given.is_object()) return read_object(given, value);
  const auto integer = integer_from(given);
  if (integer) value = AttrValue::of_int(*integer);
  return integer.has_value();
}

}  // namespace

Ordered attribute_json(const NodeCodec& codec, std::string_view encoded) {
  if (const auto value = codec.decode(encoded)) {
    Ordered plain = plain_form(*value);
    AttrValue again;
    // The text is what counts: numbers that JSON has no word for are null there.
    if (!plain.is_null() && read_plain(json::parse(plain.dump(), nullptr, false), again) &&
        codec.encode_value(again) == encoded) {
      return plain;
    }
  }
  return {{"encoded", base64(encoded)}};
}

Result<std::string> attribute_from_json(const NodeCodec& codec, const json& value) {
  if (value.is_object() && value.size() == 1 && value.begin().key() == "encoded") {
    const json& content = value.begin().value();
    const auto bytes =
        content.is_string() ? from_base64(content.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes || !codec.is_value(*bytes)) {
      return fail(Code::kCorrupt, "expected the encoded value of an attribute in base64");
    }
    return *bytes;
  }
  AttrValue plain;
  if (!read_plain(value, plain)) {
    return fail(Code::kCorrupt,
                "expected a type, true or false, a whole number, a list of shapes, or an object "
                "that says what it is");
  }
  return codec.encode_value(plain);
}

}  // namespace tideline
