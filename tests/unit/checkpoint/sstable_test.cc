#include "core/checkpoint/sstable.h"

#include <fmt/format.h>

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

}  // namespace tideline::checkpoint
