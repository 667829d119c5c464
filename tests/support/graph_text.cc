#include "tests/support/graph_text.h"

#include <catch2/catch.hpp>
#include <cctype>
#include <deque>
#include <map>
#include <sstream>

#include "core/base/text.h"
#include "core/io/wire.h"
#include "core/io/wire_codec.h"

namespace tideline::test {
namespace {

struct Line {
  std::string name, type, device;
  std::vector<std::string> inputs;
  Attributes attributes;
};

Shape parse_shape(const std::string& text) {
  if (text == "?") return Shape::unknown();
  Shape shape = Shape::of({});
  for (const std::string& dim : split_list(text.substr(1, text.size() - 2), ',')) {
    shape.dims.push_back(dim == "?" ? kUnknownDim : std::stoll(dim));
  }
  return shape;
}

// "f32[4,28]" or "f32?": dtype and shape.
std::pair<DataType, Shape> parse_tensor(const std::string& word) {
  static const std::map<std::string, DataType> kTypes = {
      {"f32", DataType::kFloat},     {"i32", DataType::kInt32},      {"i64", DataType::kInt64},
      {"bool", DataType::kBool},     {"res", DataType::kResource},   {"str", DataType::kString},
      {"f16", DataType::kHalf},      {"f64", DataType::kDouble},     {"i8", DataType::kInt8},
      {"c64", DataType::kComplex64}, {"variant", DataType::kVariant}};
  const std::size_t cut = word.find_first_of("[?");
  return {kTypes.at(word.substr(0, cut)), parse_shape(word.substr(cut))};
}

// The attribute's encoding, for kinds that the product itself never writes.
AttrValue encoded_value(const std::string& bytes, std::deque<std::string>& keep) {
  AttrValue value;
  value.kind = AttrValue::Kind::kTensor;  // written as it is
  value.encoded = keep.emplace_back(bytes);
  return value;
}

std::string packed(const std::string& list) {
  std::string numbers;
  for (const std::string& number : split_list(list, ',')) {
    io::append_varint(numbers, static_cast<std::uint64_t>(std::stoll(number)));
  }
  return numbers;
}

// "i32[2]{3,-1}"
AttrValue parse_constant(const std::string& text, std::deque<std::string>& keep) {
  const std::size_t brace = text.find('{');
  const auto [type, shape] = parse_tensor(text.substr(0, brace));
  std::string dims;
  for (const std::int64_t dim : shape.dims) {
    std::string size;
    io::append_varint_field(size, 1, static_cast<std::uint64_t>(dim));
    io::append_bytes(dims, 2, size);
  }
  std::string tensor;
  io::append_varint_field(tensor, 1, static_cast<std::uint64_t>(type));
  io::append_bytes(tensor, 2, dims);
  const std::uint32_t field = type == DataType::kInt64 ? 10 : 7;
  io::append_bytes(tensor, field, packed(text.substr(brace + 1, text.size() - brace - 2)));
  std::string value;
  io::append_bytes(value, 8, tensor);
  return encoded_value(value, keep);
}

AttrValue parse_value(const std::string& text, std::deque<std::string>& keep) {
  if (text == "true" || text == "false") return AttrValue::of_bool(text == "true");
  if (text.front() == '\'' || text.front() == '"') {
    AttrValue value;
    value.kind = AttrValue::Kind::kString;
    value.string = text.substr(1, text.size() - 2);
    return value;
  }
  std::string bytes;
  if (text.starts_with("('")) {
    AttrValue value;
    value.kind = AttrValue::Kind::kList;
    for (const std::string& item : split_list(text.substr(1, text.size() - 2), ',')) {
      value.strings.push_back(item.substr(1, item.size() - 2));
    }
    return value;
  }
  if (text.front() == '(' && text.size() > 1 &&
      std::isalpha(static_cast<unsigned char>(text[1])) != 0) {  // "(f32,i32)": types
    AttrValue value;
    value.kind = AttrValue::Kind::kList;
    for (const std::string& item : split_list(text.substr(1, text.size() - 2), ',')) {
      value.types.push_back(parse_tensor(item + "?").first);
    }
    return value;
  }
  if (text.front() == '(') {
    std::string list;
    io::append_bytes(list, 3, packed(text.substr(1, text.size() - 2)));
    io::append_bytes(bytes, 1, list);
    return encoded_value(bytes, keep);
  }
  if (text.front() == '&') {
    std::string function;
    io::append_bytes(function, 1, text.substr(1));
    io::append_bytes(bytes, 10, function);
    return encoded_value(bytes, keep);
  }
  if (text.find('{') != std::string::npos) return parse_constant(text, keep);
  if (text.front() == '[' || text == "?") return AttrValue::of_shape(parse_shape(text));
  if (std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    return AttrValue::of_type(parse_tensor(text + "?").first);
  }
  return AttrValue::of_int(std::stoll(text));
}

Line parse_line(const std::string& text, std::deque<std::string>& keep) {
  Line line;
  const std::size_t equals = text.find(" = ");
  const std::size_t open = text.find('(');
  const std::size_t close = text.find(')');
  REQUIRE(close != std::string::npos);
  line.name = split_list(text.substr(0, equals), ' ').front();
  line.type = text.substr(equals + 3, open - equals - 3);
  line.inputs = split_list(text.substr(open + 1, close - open - 1), ',');
  std::vector<Shape> shapes;
  for (const std::string& word : split_list(text.substr(close + 1), ' ')) {
    if (word.front() == '@') {
      line.device = word.substr(1);
    } else if (word.front() == '+') {
      const std::size_t cut = word.find('=');
      line.attributes.emplace_back(word.substr(1, cut - 1),
                                   parse_value(word.substr(cut + 1), keep));
    } else {
      const auto [type, shape] = parse_tensor(word);
      if (shapes.empty()) {
        line.attributes.emplace_back("T", AttrValue::of_type(type));
        line.attributes.emplace_back("dtype", AttrValue::of_type(type));
      }
      shapes.push_back(shape);
    }
  }
  if (!shapes.empty()) {
    line.attributes.emplace_back("_output_shapes", AttrValue::of_shapes(shapes));
  }
  return line;
}

}  // namespace

std::string encode_graph(std::string_view text) {
  std::string wire;
  std::deque<std::string> keep;
  std::istringstream lines{std::string(text)};
  for (std::string text_line; std::getline(lines, text_line);) {
    const std::size_t start = text_line.find_first_not_of(' ');
    if (start == std::string::npos || text_line[start] == '#') continue;
    const Line line = parse_line(text_line.substr(start), keep);
    io::append_bytes(
        wire, 1,
        io::wire_codec().encode(line.name, line.type, line.device, line.inputs, line.attributes));
  }
  return wire;
}

io::Document read_graph(std::string_view text) {
  Progress silent;
  auto document = io::read_document("test", own_bytes(encode_graph(text)), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document.has_value());
  return *std::move(document);
}

OpId op(const Graph& graph, std::string_view name) {
  const OpId found = graph.find(name);
  INFO("op " << name);
  REQUIRE(found.valid());
  return found;
}

OpId op(const io::Document& document, std::string_view name) {
  return op(document.graph, name);
}

}  // namespace tideline::test
