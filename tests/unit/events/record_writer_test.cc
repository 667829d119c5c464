#include "core/events/record_writer.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "tests/support/temporary_folder.h"

namespace tideline::events {

TEST_CASE("a record in pieces is the record in one piece") {
  const test::TemporaryFolder folder;
  auto file = OutputFile::create(folder.file("log"), false);
  REQUIRE(file);
  auto record = RecordWriter::begin(*file, 9);
  REQUIRE(record);
  for (const char* piece : {"123", "", "456789"}) REQUIRE(record->append(piece));
  REQUIRE(record->finish());
  REQUIRE(file->commit());
  std::ifstream in(folder.file("log"), std::ios::binary);
  CHECK(std::string((std::istreambuf_iterator<char>(in)), {}) == framed("123456789"));
}

TEST_CASE("a record that is not as long as was said is an error") {
  const test::TemporaryFolder folder;
  auto file = OutputFile::create(folder.file("log"), false);
  REQUIRE(file);
  auto record = RecordWriter::begin(*file, 3);
  REQUIRE(record);
  CHECK_FALSE(record->append("four"));
  REQUIRE(record->append("ab"));
  CHECK_FALSE(record->finish());
}

TEST_CASE("a frame is length, checksum, data, checksum") {
  // What TensorFlow writes for an event of the file version at 0 seconds:
  CHECK(framed("") == std::string("\0\0\0\0\0\0\0\0\x29\x03\x98\x07\xd8\xea\x82\xa2", 16));
}

}  // namespace tideline::events
