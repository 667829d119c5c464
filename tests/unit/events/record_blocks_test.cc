#include "core/events/record_blocks.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/events/record_writer.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

struct Read {
  std::vector<std::string> records;
  std::vector<RecordDamage> damage;
};

Read read(const std::string& path, AtDamage at_damage) {
  auto file = InputFile::open(path);
  REQUIRE(file);
  RecordBlocks blocks(*std::move(file), at_damage);
  RecordBlock block;
  Read all;
  while (true) {
    const auto is_there = blocks.next(block);
    REQUIRE(is_there);
    if (!*is_there) break;
    CHECK(block.first_number == static_cast<std::int64_t>(all.records.size()) + 1);
    RecordReader reader(block.buffer.bytes(), block.at, block.first_number);
    Record record;
    while (reader.next(record)) all.records.emplace_back(record.data);
    CHECK(reader.damage().has_value() == (reader.at() < block.at + block.buffer.bytes().size()));
    if (reader.damage()) {
      all.damage.push_back(*reader.damage());
      return all;
    }
  }
  blocks.finish();
  for (const RecordDamage& damage : blocks.damage()) all.damage.push_back(damage);
  return all;
}

Read read_bytes(const std::string& bytes, AtDamage at_damage) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("log"), std::ios::binary) << bytes;
  return read(folder.file("log"), at_damage);
}

}  // namespace

TEST_CASE("blocks hold whole records, and a record larger than a block comes alone") {
  std::string bytes = framed("first");
  std::vector<std::string> wanted = {"first"};
  for (const std::size_t size : {100, 5 << 20, 7, 9 << 20, 0, 4 << 20}) {
    wanted.emplace_back(size, 'x');
    bytes += framed(wanted.back());
  }
  const Read all = read_bytes(bytes, AtDamage::kStop);
  CHECK(all.records == wanted);
  CHECK(all.damage.empty());
  CHECK(read_bytes(bytes, AtDamage::kSkip).records == wanted);
}

TEST_CASE("damage ends the good part of a file, and says how much is lost") {
  const std::string bytes = framed("one") + framed("two") + framed("three");
  const std::size_t second = framed("one").size();
  std::string damaged = bytes;
  damaged[second] ^= 1;
  const Read length = read_bytes(damaged, AtDamage::kStop);
  CHECK(length.records == std::vector<std::string>{"one"});
  REQUIRE(length.damage.size() == 1);
  CHECK(length.damage[0].what == DamageKind::kLengthChecksum);
  CHECK(length.damage[0].at == second);
  CHECK(length.damage[0].bytes == bytes.size() - second);
  const Read cut = read_bytes(bytes.substr(0, bytes.size() - 5), AtDamage::kStop);
  CHECK(cut.records == std::vector<std::string>{"one", "two"});
  REQUIRE(cut.damage.size() == 1);
  CHECK(cut.damage[0].what == DamageKind::kTruncated);
  CHECK(cut.damage[0].severity == Severity::kNotice);
  CHECK(cut.damage[0].bytes == framed("three").size() - 5);
}

TEST_CASE("with resync the next whole record is found, wherever the damage is") {
  const std::vector<std::string> texts = {"the first", "the second one", "3", "the fourth record"};
  std::string bytes;
  std::vector<std::size_t> at;
  for (const std::string& text : texts) {
    at.push_back(bytes.size());
    bytes += framed(text);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const Read found = read_bytes(damaged, AtDamage::kSkip);
    std::vector<std::string> wanted;
    std::size_t lost = 0;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const std::size_t end = k + 1 < at.size() ? at[k + 1] : bytes.size();
      if (i >= at[k] && i < end) {
        lost = end - at[k];
      } else {
        wanted.push_back(texts[k]);
      }
    }
    CHECK(found.records == wanted);
    REQUIRE(found.damage.size() == 1);
    CHECK(found.damage[0].bytes == lost);
  }
  // Bytes that are taken out or put in spoil the record in which they are.
  const std::string removed = bytes.substr(0, at[1] + 14) + bytes.substr(at[1] + 18);
  CHECK(read_bytes(removed, AtDamage::kSkip).records ==
        std::vector<std::string>{texts[0], texts[2], texts[3]});
  const std::string inserted = bytes.substr(0, at[1] + 14) + "???" + bytes.substr(at[1] + 14);
  CHECK(read_bytes(inserted, AtDamage::kSkip).records ==
        std::vector<std::string>{texts[0], texts[2], texts[3]});
}

TEST_CASE("a record inside the data of a damaged one is not taken for a record of the file") {
  std::string damaged = framed("a file in a file: " + framed("inside") + "and a rest");
  damaged[14] ^= 1;
  const Read found = read_bytes(framed("one") + damaged + framed("two"), AtDamage::kSkip);
  CHECK(found.records == std::vector<std::string>{"one", "two"});
}

TEST_CASE("made-up lengths do not make the search quadratic") {
  // Sound headers of records that reach to the end of the file, with wrong data.
  std::string bytes = "?";
  const std::size_t size = std::size_t{1} << 20U;
  while (bytes.size() + 16 < size) {
    std::string length;
    append_little_endian(length, std::uint64_t{size - bytes.size() - 16});
    bytes += length;
    append_little_endian(bytes, mask_crc(crc32c(length)));
  }
  bytes.resize(size);
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("log"), std::ios::binary) << bytes;
  auto file = InputFile::open(folder.file("log"));
  REQUIRE(file);
  std::uint64_t spent = 0;
  const auto found = find_record(*file, 0, size, spent);
  REQUIRE(found);
  CHECK_FALSE(found->is_found);
  CHECK(spent <= (kMostSearched + 2) * size);
}

TEST_CASE("a reading goes on behind what was read when the file has grown") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("log");
  std::ofstream(path, std::ios::binary) << framed("one") + framed("two").substr(0, 15);
  RecordBlocks::Position position;
  RecordBlock block;
  {
    auto file = InputFile::open(path);
    REQUIRE(file);
    RecordBlocks blocks(*std::move(file));
    CHECK(blocks.next(block).value_or(false));
    CHECK(block.buffer.bytes() == framed("one"));
    CHECK_FALSE(blocks.next(block).value_or(true));
    position = blocks.position();
  }
  std::ofstream(path, std::ios::app) << framed("two").substr(15) + framed("three");
  auto file = InputFile::open(path);
  REQUIRE(file);
  RecordBlocks blocks(*std::move(file), AtDamage::kStop, position);
  CHECK(blocks.next(block).value_or(false));
  CHECK(block.buffer.bytes() == framed("two") + framed("three"));
  CHECK(block.first_number == 2);
}

}  // namespace tideline::events
