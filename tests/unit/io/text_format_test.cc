#include "core/io/text_format.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

constexpr std::size_t kMiB = 1U << 20U;

// A Const whose content has every byte, at every position of a piece.
std::string constant_op(std::size_t bytes) {
  std::string content(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) content[i] = static_cast<char>(i % 257);
  std::string tensor;
  append_varint_field(tensor, tensor_proto::kType, 1);
  append_bytes(tensor, tensor_proto::kContent, content);
  std::string value;
  append_bytes(value, attr_value::kTensor, tensor);
  std::string entry;
  append_bytes(entry, map_entry::kKey, "value");
  append_bytes(entry, map_entry::kValue, value);
  std::string node;
  append_bytes(node, node_def::kName, "n\xc3\xa4me");
  append_bytes(node, node_def::kOp, "Const");
  append_bytes(node, node_def::kAttr, entry);
  return node;
}

TEST_CASE("the text of a large constant is never in memory as a whole", "[io][text]") {
  const std::string node = constant_op(8 * kMiB);
  std::string text;
  std::size_t largest = 0;
  const Status status =
      wire_to_text(node, MessageKind::kNodeDef, 1, [&](std::string_view piece) -> Status {
        largest = std::max(largest, piece.size());
        text += piece;
        return {};
      });
  REQUIRE(status);
  CHECK(largest <= kMiB);
  CHECK(text.size() > 16 * kMiB);
  CHECK(text.starts_with("  name: \"n\xc3\xa4me\"\n"));
  CHECK(*text_to_wire(text, MessageKind::kNodeDef) == node);
}

TEST_CASE("text that cannot be written is not printed to its end", "[io][text]") {
  int pieces = 0;
  const Status status =
      wire_to_text(constant_op(kMiB), MessageKind::kNodeDef, 0, [&](std::string_view) -> Status {
        ++pieces;
        return fail(Code::kIo, "disk full");
      });
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "disk full");
  CHECK(pieces == 1);
}

TEST_CASE("nothing is printed of a message that text would change", "[io][text]") {
  std::string node = constant_op(kMiB);
  append_bytes(node, 99, "unknown");
  int pieces = 0;
  CHECK_FALSE(wire_to_text(node, MessageKind::kNodeDef, 0, [&](std::string_view) -> Status {
    ++pieces;
    return {};
  }));
  CHECK(pieces == 0);
}

TEST_CASE("a NaN keeps its sign in text", "[io][text]") {
  const std::string text =
      "name: \"a\"\nattr {\n  key: \"value\"\n  value {\n    tensor {\n"
      "      float_val: -nan\n      float_val: nan\n      float_val: -inf\n"
      "      double_val: nan\n      double_val: -nan\n    }\n  }\n}\n";
  const auto wire = text_to_wire(text, MessageKind::kNodeDef);
  REQUIRE(wire);
  CHECK(wire->find(std::string_view("\0\0\xc0\xff\0\0\xc0\x7f\0\0\x80\xff", 12)) !=
        std::string::npos);
  CHECK(*wire_to_text(*wire, MessageKind::kNodeDef, 0) == text);
}

}  // namespace
}  // namespace tideline::io
