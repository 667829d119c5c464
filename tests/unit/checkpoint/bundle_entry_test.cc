#include "core/checkpoint/bundle_entry.h"

#include <catch2/catch.hpp>

#include "core/io/wire.h"

namespace tideline::checkpoint {

TEST_CASE("an entry of an index is encoded as it was") {
  BundleEntry entry;
  entry.type = DataType::kHalf;
  entry.dims = {3, 0, 70000};
  entry.shard = 2;
  entry.offset = std::int64_t{5} << 32U;
  entry.bytes = 12;
  entry.masked_crc = 0x89abcdefU;
  entry.slices = {{{0, 6}, {0, -1}}, {{6, 0}, {0, -1}}};
  const auto again = parse_bundle_entry(encode(entry));
  REQUIRE(again);
  CHECK(again->type == entry.type);
  CHECK(again->dims == entry.dims);
  CHECK(again->shard == entry.shard);
  CHECK(again->offset == entry.offset);
  CHECK(again->bytes == entry.bytes);
  CHECK(again->masked_crc == entry.masked_crc);
  REQUIRE(again->slices.size() == 2);
  CHECK(again->slices[1][0].start == 6);
  CHECK(again->slices[1][0].length == 0);
  CHECK(again->slices[1][1].length == -1);
  CHECK(encode(*again) == encode(entry));
}

TEST_CASE("impossible entries are refused") {
  const auto with = [](std::uint32_t field, std::uint64_t value) {
    std::string message;
    io::append_varint_field(message, field, value);
    return parse_bundle_entry(message);
  };
  CHECK_FALSE(with(3, ~std::uint64_t{0}));  // shard -1
  CHECK_FALSE(with(4, ~std::uint64_t{0}));  // offset -1
  CHECK_FALSE(with(5, ~std::uint64_t{0}));  // size -1
  CHECK_FALSE(with(1, ~std::uint64_t{0}));  // type of 64 bits
  CHECK_FALSE(parse_bundle_entry("\x12\x05zz"));
  BundleEntry unknown;
  unknown.dims = {-1};
  CHECK(parse_bundle_entry(encode(unknown)).error().message == "has an unknown dimension");
  BundleEntry many;
  many.dims.assign(255, 1);
  CHECK_FALSE(parse_bundle_entry(encode(many)));
}

TEST_CASE("keys of slices are those of TensorFlow") {
  using Extents = std::vector<SliceExtent>;
  const auto hex = [](const std::string& key) {
    std::string text;
    for (const char c : key) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return text;
  };
  // The first was seen in a checkpoint of TensorFlow 2.15 (tests/data/checkpoints/sliced).
  CHECK(hex(slice_key("w", Extents{{0, 6}, {0, -1}})) == "0077000101028086807f");
  CHECK(hex(slice_key("w", Extents{{6, 4}, {0, -1}})) == "0077000101028684807f");
  // By the rule of TensorFlow's ordered_code.cc: larger numbers, and bytes that are escaped.
  CHECK(hex(slice_key("", Extents{{63, 64}})) ==
        "00"
        "0001"
        "0101"
        "bf"
        "c040");
  CHECK(hex(slice_key("", Extents{{8191, 8192}})) ==
        "00"
        "0001"
        "0101"
        "dfff"
        "e02000");
  CHECK(hex(slice_key("", Extents{{std::int64_t{1} << 40U, 1}})) ==
        "00"
        "0001"
        "0101"
        "fd0000000000"
        "81");
  CHECK(hex(slice_key(std::string("a\0b\xff", 4), Extents{})) ==
        "00"
        "6100ff62ff00"
        "0001"
        "00");
}

}  // namespace tideline::checkpoint
