#include "core/checkpoint/tensor_bundle.h"

#include <fmt/format.h>

#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/base/crc32c.h"
#include "core/checkpoint/bundle_entry.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

// An index of one tensor under the name "t", in one shard.
std::string index_of(const BundleEntry& entry, std::int64_t shards = 1) {
  BundleHeader header;
  header.shards = shards;
  return write_table({{"", encode(header)}, {"t", encode(entry)}});
}

BundleEntry floats(std::vector<std::int64_t> dims, std::int64_t bytes) {
  BundleEntry entry;
  entry.type = DataType::kFloat;
  entry.dims = std::move(dims);
  entry.bytes = bytes;
  return entry;
}

std::string error_of(const std::string& index) {
  const auto parsed = parse_tensor_bundle("model", index);
  REQUIRE_FALSE(parsed);
  return parsed.error().message;
}

}  // namespace

TEST_CASE("every tensor of a checkpoint is listed as its own parser lists it") {
  const auto want = nlohmann::json::parse(
      test::content_of(test::kData / "checkpoints/small_listing.json"))["tensors"];
  const Checkpoint checkpoint = opened(sample("small"));
  REQUIRE(checkpoint.tensors.size() == want.size());
  DataFiles files(checkpoint);
  for (const auto& entry : want) {
    const StoredTensor* tensor = checkpoint.find(entry["name"].get<std::string>());
    REQUIRE(tensor != nullptr);
    INFO(tensor->name);
    CHECK(element_type_name(tensor->type) == entry["dtype"].get<std::string>());
    CHECK(tensor->dims == entry["shape"].get<std::vector<std::int64_t>>());
    REQUIRE(tensor->pieces.size() == 1);
    CHECK(tensor->pieces[0].file == entry["shard"].get<std::uint32_t>());
    CHECK(tensor->pieces[0].offset == entry["offset"].get<std::int64_t>());
    CHECK(tensor->pieces[0].bytes == entry["size"].get<std::int64_t>());
    CHECK(tensor->pieces[0].crc == entry["crc32c"].get<std::uint32_t>());
    if (tensor->type == DataType::kString) {
      const auto strings = read_strings(files, *tensor);
      REQUIRE(strings);
      CHECK(strings->size() == entry["strings"].size());
    } else {
      const auto content = read_tensor(files, *tensor);
      REQUIRE(content);
      CHECK(static_cast<std::int64_t>(content->size()) == tensor->pieces[0].bytes);
    }
  }
}

TEST_CASE("strings of a checkpoint are read, empty ones and UTF-8 too") {
  const Checkpoint checkpoint = opened(sample("small"));
  DataFiles files(checkpoint);
  const auto strings =
      read_strings(files, *checkpoint.find("extras/text/.ATTRIBUTES/VARIABLE_VALUE"));
  REQUIRE(strings);
  REQUIRE(strings->size() == 4);
  CHECK((*strings)[0] == "alpha");
  CHECK((*strings)[1].empty());
  CHECK((*strings)[2] == "βγ");
  CHECK((*strings)[3].size() == 300);
}

TEST_CASE("a variable in slices is one tensor") {
  const Checkpoint checkpoint = opened(sample("sliced"));
  REQUIRE(checkpoint.tensors.size() == 2);
  const StoredTensor* tensor = checkpoint.find("w");
  REQUIRE(tensor != nullptr);
  CHECK(tensor->is_sliced);
  CHECK(tensor->dims == std::vector<std::int64_t>{10, 4});
  REQUIRE(tensor->pieces.size() == 2);
  CHECK(tensor->pieces[1].file == 1);
  CHECK(tensor->pieces[1].start == std::vector<std::int64_t>{6, 0});
  DataFiles files(checkpoint);
  const auto content = read_tensor(files, *tensor);
  REQUIRE(content);
  const std::string shards = test::content_of(shard_path(sample("sliced"), 0, 2)).substr(0, 96) +
                             test::content_of(shard_path(sample("sliced"), 1, 2));
  CHECK(*content == shards);  // rows, so the slices lie one behind the other
}

TEST_CASE("slices of columns are put side by side") {
  const test::TemporaryFolder folder;
  const std::string prefix = folder.file("m");
  // [[0 1 2][3 4 5]] as its first two columns and its last one.
  write(shard_path(prefix, 0, 1), std::string("\x00\x01\x03\x04\x02\x05", 6));
  const auto slice = [](std::vector<std::int64_t> dims, std::int64_t offset, std::int64_t bytes,
                        const std::string& content) {
    BundleEntry entry;
    entry.type = DataType::kUint8;
    entry.dims = std::move(dims);
    entry.offset = offset;
    entry.bytes = bytes;
    entry.masked_crc = mask_crc(crc32c(content));
    return entry;
  };
  BundleEntry whole = slice({2, 3}, 0, 0, "");
  const std::vector<SliceExtent> left = {{0, -1}, {0, 2}};
  const std::vector<SliceExtent> right = {{0, -1}, {2, 1}};
  whole.slices = {left, right};
  BundleHeader header;
  header.shards = 1;
  std::map<std::string, std::string> table = {
      {"", encode(header)},
      {slice_key("t", left), encode(slice({2, 2}, 0, 4, std::string("\x00\x01\x03\x04", 4)))},
      {slice_key("t", right), encode(slice({2, 1}, 4, 2, "\x02\x05"))},
      {"t", encode(whole)}};
  write(index_path(prefix), write_table(table));
  {
    const Checkpoint checkpoint = opened(prefix);
    DataFiles files(checkpoint);
    CHECK(*read_tensor(files, checkpoint.tensors[0]) == std::string("\x00\x01\x02\x03\x04\x05", 6));
  }
  // The same slice twice leaves a column out.
  const std::vector<SliceExtent> again = {{0, -1}, {1, 1}};
  whole.slices = {left, again};
  table["t"] = encode(whole);
  table[slice_key("t", again)] = encode(slice({2, 1}, 4, 2, "\x02\x05"));
  write(index_path(prefix), write_table(table));
  const Checkpoint checkpoint = opened(prefix);
  DataFiles files(checkpoint);
  CHECK(read_tensor(files, checkpoint.tensors[0]).error().message ==
        prefix + ": tensor 't': its slices overlap");
  Progress silent;
  const auto verified = verify(checkpoint, silent);
  REQUIRE(verified);
  REQUIRE(verified->damages.size() == 1);
  CHECK(verified->damages[0].what == "its slices overlap");
}

TEST_CASE("an index that contradicts itself is refused with the tensor's name") {
  CHECK(error_of(index_of(floats({2, 3}, 20))) ==
        "model.index: tensor 't': float32 [2,3] takes 24 bytes; the index says 20");
  CHECK(error_of(index_of(floats({std::int64_t{1} << 40U, std::int64_t{1} << 40U}, 4))) ==
        "model.index: tensor 't': has more elements than 63 bits can count");
  BundleEntry type = floats({}, 4);
  type.type = static_cast<DataType>(99);
  CHECK(error_of(index_of(type)) == "model.index: tensor 't': has the unknown type number 99");
  BundleEntry shard = floats({}, 4);
  shard.shard = 1;
  CHECK(error_of(index_of(shard)) == "model.index: tensor 't': lies in shard 1, but there are 1");
  BundleEntry sliced = floats({4}, 0);
  sliced.slices = {{{2, 3}}};
  CHECK(error_of(index_of(sliced)) ==
        "model.index: tensor 't': names a slice that the index does not have");
  CHECK(error_of(index_of(floats({}, 4), 100000)) ==
        "model.index: the header says 100000 shards; expected at most 99999");
  CHECK(error_of(write_table({})) == "model.index: is empty; expected a header");
  CHECK(error_of(write_table({{"t", ""}})) ==
        "model.index: has no header; expected one under the empty key");
  CHECK(error_of(write_table({{"", "\x10\x01"}})) ==
        "model.index: is big-endian; expected a little-endian checkpoint");
}

TEST_CASE("tensors and slices that repeat the same bytes are refused") {
  BundleHeader header;
  header.shards = 1;
  BundleEntry second = floats({1}, 4);
  second.offset = 4;
  const BundleEntry first = floats({2}, 8);
  CHECK(
      error_of(write_table({{"", encode(header)}, {"a", encode(first)}, {"b", encode(second)}})) ==
      "model.index: tensor 'b': its bytes from 4 on in shard 0 are those of tensor 'a', too; "
      "expected bytes of its own");
  // Empty tensors share nothing.
  CHECK(parse_tensor_bundle(
      "model",
      write_table({{"", encode(header)}, {"a", encode(first)}, {"b", encode(floats({0}, 0))}})));
  // A slice once in the index and twice in the tensor.
  BundleEntry whole = floats({4}, 0);
  whole.slices = {{{0, 2}}, {{0, 2}}};
  CHECK(error_of(write_table({{"", encode(header)},
                              {slice_key("t", {{0, 2}}), encode(first)},
                              {"t", encode(whole)}})) ==
        "model.index: tensor 't': names a slice that the index does not have");
}

TEST_CASE("a hundred thousand slices are verified in no time") {
  const test::TemporaryFolder folder;
  const std::string prefix = folder.file("m");
  constexpr std::int64_t kSlices = 100000;
  BundleHeader header;
  header.shards = 1;
  std::map<std::string, std::string> table = {{"", encode(header)}};
  BundleEntry whole;
  whole.type = DataType::kUint8;
  whole.dims = {kSlices};
  for (std::int64_t i = 0; i < kSlices; ++i) {
    BundleEntry slice;
    slice.type = DataType::kUint8;
    slice.dims = {1};
    slice.offset = i;
    slice.bytes = 1;
    slice.masked_crc = mask_crc(crc32c(std::string(1, '\0')));
    whole.slices.push_back({{i, 1}});
    table[slice_key("t", whole.slices.back())] = encode(slice);
  }
  table["t"] = encode(whole);
  write(index_path(prefix), write_table(table));
  write(shard_path(prefix, 0, 1), std::string(kSlices, '\0'));
  Progress silent;
  const auto started = std::clock();
  const auto found = verify(opened(prefix), silent);
  const double seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
  REQUIRE(found);
  CHECK(found->damages.empty());
  CHECK(seconds < 20);  // of the processor; comparing each with each took minutes
}

TEST_CASE("data that are missing, cut or changed are named") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_sample("small", folder);
  const std::string data = shard_path(prefix, 0, 1);
  const Checkpoint checkpoint = opened(prefix);
  const StoredTensor* tensor =
      checkpoint.find("model/layer_with_weights-1/kernel/.ATTRIBUTES/VARIABLE_VALUE");
  REQUIRE(tensor != nullptr);
  std::string content = test::content_of(data);
  const auto error = [&] {
    DataFiles files(checkpoint);
    return read_tensor(files, *tensor).error().message;
  };
  write(data, content.substr(0, 2000));
  CHECK(error() == data + ": has 2000 bytes; expected 36864 bytes at byte 1076");
  content[1500] = static_cast<char>(content[1500] ^ 4);
  write(data, content);
  CHECK(error().starts_with(data + ": tensor '" + tensor->name +
                            "': its 36864 bytes at byte 1076 do not match their checksum"));
  std::filesystem::remove(data);
  CHECK(error() == data + ": cannot open: No such file or directory");
}

TEST_CASE("strings are encoded as TensorFlow encodes them") {
  const Checkpoint checkpoint = opened(sample("small"));
  DataFiles files(checkpoint);
  const StoredTensor& tensor = *checkpoint.find("extras/text/.ATTRIBUTES/VARIABLE_VALUE");
  const EncodedStrings encoded = encode_strings(*read_strings(files, tensor));
  CHECK(encoded.crc == tensor.pieces[0].crc);
  CHECK(encoded.bytes ==
        test::content_of(shard_path(sample("small"), 0, 1)).substr(406, encoded.bytes.size()));
  CHECK(encoded.bytes.size() == 318);
  CHECK_FALSE(decode_strings("", 1));
  CHECK_FALSE(decode_strings(encoded.bytes, 3));
  CHECK_FALSE(decode_strings(encoded.bytes, 5));
  CHECK_FALSE(decode_strings(encoded.bytes + "x", 4));
  CHECK_FALSE(decode_strings(encoded.bytes, std::int64_t{1} << 60U));
  CHECK(decode_strings(encode_strings({}).bytes, 0)->strings.empty());
}

}  // namespace tideline::checkpoint
