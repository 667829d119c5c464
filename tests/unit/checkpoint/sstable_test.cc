#include "core/checkpoint/sstable.h"

#include <fmt/format.h>
#include <snappy-c.h>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/io/wire.h"

#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

using Entries = std::map<std::string, std::string>;

Result<Entries> read(std::string_view table) {
  Entries entries;
  const Status status = read_table(table, [&](std::string_view key, std::string_view value) {
    entries.emplace(key, value);
    return Status();
  });
  if (!status) return tl::unexpected(status.error());
  return entries;
}

// A block of entries that all share all of the key before, with its trailer.
std::string stored_block(const std::string& content, char type = '\0') {
  std::string stored = content + type;
  append_little_endian(stored, mask_crc(crc32c(stored)));
  return stored;
}

std::string entry(std::uint64_t shared, const std::string& rest, const std::string& value) {
  std::string bytes;
  io::append_varint(bytes, shared);
  io::append_varint(bytes, rest.size());
  io::append_varint(bytes, value.size());
  return bytes + rest + value;
}

std::string with_restarts(std::string entries, std::uint32_t restarts = 1) {
  for (std::uint32_t i = 0; i < restarts; ++i) append_little_endian(entries, std::uint32_t{0});
  append_little_endian(entries, restarts);
  return entries;
}

std::string handle(std::uint64_t offset, std::uint64_t size) {
  std::string bytes;
  io::append_varint(bytes, offset);
  io::append_varint(bytes, size);
  return bytes;
}

// A table of one data block, which the index names under each of `limits`.
std::string table_of(const std::string& block, char type, const std::vector<std::string>& limits) {
  std::string table = stored_block(block, type);
  const std::string about = handle(table.size(), 8);
  table += stored_block(with_restarts(""));
  std::string entries;
  for (const std::string& limit : limits) entries += entry(0, limit, handle(0, block.size()));
  const std::string index = with_restarts(entries);
  std::string footer = about + handle(table.size(), index.size());
  table += stored_block(index);
  footer.resize(40);
  append_little_endian(footer, std::uint64_t{0xdb4775248b80fb57ULL});
  return table + footer;
}

std::string packed(const std::string& content) {
  std::size_t size = snappy_max_compressed_length(content.size());
  std::string bytes(size, '\0');
  REQUIRE(snappy_compress(content.data(), content.size(), bytes.data(), &size) == SNAPPY_OK);
  bytes.resize(size);
  return bytes;
}

}  // namespace

TEST_CASE("an index of TensorFlow, read and written again, is the same bytes") {
  for (const char* name : {"small", "sliced"}) {
    const std::string index = test::content_of(sample(name) + ".index");
    const auto entries = read(index);
    REQUIRE(entries);
    CHECK(entries->size() == (std::string(name) == "small" ? 48 : 5));
    CHECK(write_table(*entries) == index);
  }
}

TEST_CASE("every flipped bit of an index is found") {
  std::string index = test::content_of(sample("sliced") + ".index");
  REQUIRE(read(index));
  for (std::size_t bit = 0; bit < 8 * index.size(); ++bit) {
    index[bit / 8] = static_cast<char>(index[bit / 8] ^ (1 << bit % 8));
    INFO("bit " << bit);
    CHECK_FALSE(read(index));
    index[bit / 8] = static_cast<char>(index[bit / 8] ^ (1 << bit % 8));
  }
}

TEST_CASE("an index that is cut anywhere is refused") {
  const std::string index = test::content_of(sample("sliced") + ".index");
  for (std::size_t size = 0; size < index.size(); ++size) {
    CHECK(read(index.substr(0, size)).error().code == Code::kCorrupt);
  }
}

TEST_CASE("an index of many blocks is read as it was written") {
  Entries entries;
  for (int i = 0; i < 20000; ++i) {
    entries.emplace(fmt::format("layer_{}/kernel/part_{}", i / 7, i), std::string(40, 'v'));
  }
  entries.emplace("", "header");
  entries.emplace(std::string(3, '\xff'), "the last of all");
  const std::string table = write_table(entries);
  CHECK(table.size() > 3 * (std::size_t{256} << 10U));
  const auto again = read(table);
  REQUIRE(again);
  CHECK(*again == entries);
  CHECK(*read(write_table({})) == Entries());
}

TEST_CASE("what visits an index can stop it") {
  const std::string index = test::content_of(sample("small") + ".index");
  int visited = 0;
  const Status status = read_table(index, [&](std::string_view, std::string_view) -> Status {
    if (++visited < 3) return {};
    return fail(Code::kCancelled, "enough");
  });
  CHECK(status.error().message == "enough");
  CHECK(visited == 3);
}

TEST_CASE(
    "an index whose blocks Snappy compressed is read, as TensorFlow Serving's models have it") {
  const std::string prefix = (test::kData / "foreign/checkpoints/snappy/variables").string();
  const auto entries = read(test::content_of(prefix + ".index"));
  REQUIRE(entries);
  CHECK(entries->size() == 6);
  CHECK(opened(prefix).tensors.size() == 5);
  const std::string block = with_restarts(entry(0, "key", std::string(5000, 'v')));
  CHECK(read(table_of(packed(block), '\x01', {"key"})) == Entries{{"key", std::string(5000, 'v')}});
}

TEST_CASE("a compression that TensorFlow does not know is named with its number") {
  const std::string block = with_restarts(entry(0, "key", "value"));
  const auto error = read(table_of(block, '\x02', {"key"})).error();
  CHECK(error.code == Code::kUnsupported);
  CHECK(error.message ==
        "the block at byte 0 is compressed in a way that TensorFlow does not know: type 2 (zstd in "
        "LevelDB, zlib in RocksDB); expected 0 (not compressed) or 1 (Snappy)");
  CHECK(read(table_of(block, '\x63', {"key"})).error().message.find("type 99 (unknown)") !=
        std::string::npos);
}

TEST_CASE("a block that says it unpacks to gigabytes is refused before space is taken") {
  std::string huge;
  io::append_varint(huge, 4'000'000'000U);
  CHECK(read(table_of(huge + "abc", '\x01', {"key"})).error().message ==
        "the block of 8 bytes at byte 0 is none that Snappy made: it says that it unpacks to "
        "4000000000 bytes");
  std::string damaged = packed(with_restarts(entry(0, "key", std::string(500, 'v'))));
  damaged.resize(damaged.size() - 3);
  CHECK(read(table_of(damaged, '\x01', {"key"})).error().code == Code::kCorrupt);
}

TEST_CASE("a small index whose keys share a megabyte takes no gigabyte") {
  const std::size_t megabyte = std::size_t{1} << 20U;
  std::string block = entry(0, std::string(megabyte, 'a'), "v");
  for (int i = 0; i < 1000; ++i) block += entry(megabyte + static_cast<std::size_t>(i), "b", "v");
  std::size_t bytes = 0;
  const std::string table = table_of(with_restarts(block), '\0', {"b"});
  const Status status = read_table(table, [&](std::string_view key, std::string_view) -> Status {
    bytes += key.size();
    return {};
  });
  CHECK(status.error().message.starts_with("its keys have more than 64 times as many bytes"));
  CHECK(bytes < 70 * megabyte);
}

TEST_CASE("a block that the index names a thousand times is refused at the second") {
  // Without entries no key is out of order, but each time all of its bytes would be checked.
  const std::string block = with_restarts("", 250000);
  std::vector<std::string> limits;
  for (int i = 0; i < 1000; ++i) limits.push_back(fmt::format("{:05}", i));
  CHECK(read(table_of(block, '\0', limits)).error().message ==
        "the block at byte 0 is named after one that ends at byte 1000009; expected blocks one "
        "behind the other");
}

}  // namespace tideline::checkpoint
