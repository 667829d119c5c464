#include "core/events/record_file.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "core/events/record_writer.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

struct Read {
  std::vector<std::string> records;
  std::vector<std::uint64_t> at;
  std::string damage;
};

template <typename Reader>
Read read(Reader reader) {
  Read result;
  Record record;
  while (reader.next(record)) {
    CHECK(record.number == static_cast<std::int64_t>(result.records.size()) + 1);
    result.records.emplace_back(record.data);
    result.at.push_back(record.at);
  }
  result.at.push_back(reader.at());
  if (reader.damage()) result.damage = reader.damage()->kind + ": " + reader.damage()->where;
  CHECK_FALSE(reader.next(record));  // it stays stopped
  return result;
}

void check_alike(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  auto file = InputFile::open(path);
  REQUIRE(file);
  const Read piecewise = read(RecordFile(*std::move(file)));
  const Read whole = read(RecordReader(bytes));
  CHECK(piecewise.records == whole.records);
  CHECK(piecewise.at == whole.at);
  CHECK(piecewise.damage == whole.damage);
}

}  // namespace

TEST_CASE("records of a file are those of its bytes, however damaged or cut") {
  const test::TemporaryFolder folder;
  const std::string bytes = framed("one") + framed("three") + framed("");
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    check_alike(folder.file("cut"), bytes.substr(0, size));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    check_alike(folder.file("damaged"), damaged);
  }
}

TEST_CASE("records longer than what is read at once come out whole") {
  const test::TemporaryFolder folder;
  const std::string large(5 << 20, 'x');
  std::string bytes = framed("first") + framed(large) + framed("between") + framed(large + "y");
  for (int i = 0; i < 20000; ++i)
    bytes += framed(std::string(static_cast<std::size_t>(i % 200), 'z'));
  check_alike(folder.file("log"), bytes);
}

TEST_CASE("a log that grows is read as far as it was written; one that is cut is an error") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("log");
  std::ofstream(path, std::ios::binary) << framed("one") + framed(std::string(6 << 20, 'x'));
  Record record;
  {
    auto file = InputFile::open(path);
    REQUIRE(file);
    RecordFile reader(*std::move(file));
    std::ofstream(path, std::ios::app) << framed("later");
    CHECK(reader.next(record));
    CHECK(reader.next(record));
    CHECK_FALSE(reader.next(record));
    CHECK_FALSE(reader.damage());
    CHECK(reader.status());
  }
  auto file = InputFile::open(path);
  REQUIRE(file);
  RecordFile reader(*std::move(file));
  CHECK(reader.next(record));
  REQUIRE(::truncate(path.c_str(), 2 << 20) == 0);
  CHECK_FALSE(reader.next(record));
  REQUIRE_FALSE(reader.status());
  CHECK(reader.status().error().message.starts_with(path + ": changed while it was read"));
}

}  // namespace tideline::events
