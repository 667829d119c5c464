#include "core/io/wire_codec.h"

#include <catch2/catch.hpp>

#include "core/io/wire.h"

namespace tideline::io {
namespace {

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

}  // namespace

TEST_CASE("inputs are replaced where they stand, every other byte stays") {
  const std::string head = field(1, "x") + field(2, "Add");
  const std::string rest = field(4, "/gpu:0") + field(99, "unknown");
  const NodeCodec& codec = wire_codec();
  CHECK(codec.with_inputs(head + field(3, "a") + field(3, "b") + rest, {"c", "b"}) ==
        head + field(3, "c") + field(3, "b") + rest);
  // Further inputs follow the last one; without any they follow the head.
  CHECK(codec.with_inputs(head + field(3, "a") + rest, {"a", "^c"}) ==
        head + field(3, "a") + field(3, "^c") + rest);
  CHECK(codec.with_inputs(head + rest, {"^c"}) == head + field(3, "^c") + rest);
  CHECK(codec.with_inputs(rest, {"^c"}) == field(3, "^c") + rest);
  // An unusual order of fields stays.
  CHECK(codec.with_inputs(field(3, "a") + rest + field(3, "b") + head, {"z", "b"}) ==
        field(3, "z") + rest + field(3, "b") + head);
}

TEST_CASE("attributes are decoded by kind") {
  const NodeCodec& codec = wire_codec();
  CHECK(codec.decode("\x18\x07")->integer == 7);
  CHECK(codec.decode("\x28\x01")->boolean);
  CHECK(codec.decode("\x30\x01")->type == DataType::kFloat);
  CHECK(codec.decode(field(2, "SAME"))->string == "SAME");
  const auto shape = codec.decode(field(7, field(2, "\x08\x03") + field(2, "")));
  REQUIRE(shape);
  CHECK(shape->shape == Shape::of({3, 0}));
  CHECK(codec.decode(field(7, "\x18\x01"))->shape == Shape::unknown());
  const auto packed = codec.decode(field(1, field(3, "\x01\x02") + "\x18\x03"));
  REQUIRE(packed);
  CHECK(packed->integers == std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("what is encoded is decoded again") {
  const NodeCodec& codec = wire_codec();
  const Attributes attributes = {
      {"T", AttrValue::of_type(DataType::kHalf)},
      {"n", AttrValue::of_int(-3)},
      {"keep", AttrValue::of_bool(false)},
      {"_output_shapes", AttrValue::of_shapes({Shape::of({kUnknownDim, 0, 3}), Shape::unknown()})},
  };
  const std::string node = codec.encode("x", "Op", "/cpu:0", {"a:1", "^b"}, attributes);
  CHECK(codec.input_texts(node) == std::vector<std::string>{"a:1", "^b"});
  CHECK((*find_attribute(codec, node, "T"))->type == DataType::kHalf);
  CHECK((*find_attribute(codec, node, "n"))->integer == -3);
  CHECK((*find_attribute(codec, node, "keep"))->kind == AttrValue::Kind::kBool);
  CHECK((*find_attribute(codec, node, "_output_shapes"))->shapes == attributes[3].second.shapes);
  CHECK_FALSE(find_attribute(codec, node, "missing")->has_value());
}

TEST_CASE("values are the same when they mean the same") {
  const NodeCodec& codec = wire_codec();
  const std::string packed = field(1, field(3, "\x01\x02"));
  const std::string one_by_one = field(1, "\x18\x01\x18\x02");
  CHECK(codec.same_value(packed, one_by_one));
  CHECK_FALSE(codec.same_value(packed, field(1, field(3, "\x02\x01"))));
}

namespace {

// A TensorProto attribute: type, dims, and further fields as they are.
std::string tensor_attribute(DataType type, const std::vector<std::int64_t>& dims,
                             const std::string& fields) {
  std::string shape;
  for (const std::int64_t dim : dims) {
    std::string size;
    append_varint_field(size, 1, static_cast<std::uint64_t>(dim));
    append_bytes(shape, 2, size);
  }
  std::string tensor;
  append_varint_field(tensor, 1, static_cast<std::uint64_t>(type));
  append_bytes(tensor, 2, shape);
  std::string attribute;
  append_bytes(attribute, 8, tensor + fields);
  return attribute;
}

std::vector<std::int64_t> elements(const std::string& attribute, std::size_t most = 100) {
  const auto content = wire_codec().tensor_content(attribute, most);
  REQUIRE(content);
  REQUIRE(*content);
  return (*content)->elements.value_or(std::vector<std::int64_t>{-99});
}

}  // namespace

TEST_CASE("small constants: raw content, lists of values, the last repeated, none at all") {
  std::string raw;
  append_bytes(raw, 4, std::string("\xff\xff\xff\xff\x02\x00\x00\x00", 8));
  CHECK(elements(tensor_attribute(DataType::kInt32, {2}, raw)) == std::vector<std::int64_t>{-1, 2});
  std::string one;
  append_varint_field(one, 10, 7);
  CHECK(elements(tensor_attribute(DataType::kInt64, {3}, one)) ==
        std::vector<std::int64_t>{7, 7, 7});
  CHECK(elements(tensor_attribute(DataType::kInt32, {2}, "")) == std::vector<std::int64_t>{0, 0});
  CHECK(elements(tensor_attribute(DataType::kInt32, {0}, "")).empty());
  std::string half;
  append_bytes(half, 5, std::string("\x00\x00\x00\x3f", 4));  // 0.5, packed
  CHECK(elements(tensor_attribute(DataType::kFloat, {}, half)) == std::vector<std::int64_t>{-99});
  std::string two;
  append_bytes(two, 5, std::string("\x00\x00\x00\x40", 4));  // 2.0
  CHECK(elements(tensor_attribute(DataType::kFloat, {}, two)) == std::vector<std::int64_t>{2});
}

TEST_CASE("a constant that declares more elements than are wanted is not expanded") {
  CHECK(elements(tensor_attribute(DataType::kInt32, {std::int64_t{1} << 40}, "")) ==
        std::vector<std::int64_t>{-99});
  CHECK(elements(tensor_attribute(DataType::kInt32, {std::int64_t{1} << 62, 1 << 30}, "")) ==
        std::vector<std::int64_t>{-99});
  std::string three;
  append_bytes(three, 7, std::string("\x01\x02\x03", 3));
  CHECK_FALSE(wire_codec().tensor_content(tensor_attribute(DataType::kInt32, {2}, three), 100));
  CHECK_FALSE(wire_codec().tensor_content(tensor_attribute(DataType::kInt32, {-1}, ""), 100));
}

}  // namespace tideline::io
