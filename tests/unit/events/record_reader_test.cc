#include "core/events/record_reader.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/events/record_writer.h"

namespace tideline::events {
namespace {

struct Read {
  std::vector<std::string> records;
  std::optional<RecordDamage> damage;
};

Read read(std::string_view bytes, DataChecksums checksums = DataChecksums::kCheck) {
  RecordReader reader(bytes, checksums);
  Read result;
  Record record;
  while (reader.next(record)) {
    CHECK(record.number == static_cast<std::int64_t>(result.records.size()) + 1);
    result.records.emplace_back(record.data);
  }
  result.damage = reader.damage();
  Record none;
  CHECK_FALSE(reader.next(none));  // it stays stopped
  return result;
}

// Records of 16 + 3 and 16 + 5 and 16 bytes.
std::string three() {
  return framed("one") + framed("three") + framed("");
}

}  // namespace

TEST_CASE("records come out as they were framed") {
  const Read result = read(three());
  CHECK(result.records == std::vector<std::string>{"one", "three", ""});
  CHECK_FALSE(result.damage);
  CHECK(read("").records.empty());
  CHECK_FALSE(read("").damage);
}

TEST_CASE("a file that ends inside a record gives the records before it, and a notice") {
  const std::string bytes = three();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO(size);
    const Read result = read(std::string_view(bytes).substr(0, size));
    CHECK(result.records.size() == (size < 19 ? 0 : size < 40 ? 1 : 2));
    REQUIRE(result.damage.has_value() == (size != 0 && size != 19 && size != 40));
    if (result.damage) CHECK(result.damage->severity == Severity::kNotice);
  }
  CHECK(read(bytes.substr(0, 25)).damage->where ==
        "record 2 at byte 19: the header is truncated; the file is still being written, or was "
        "truncated");
  CHECK(read(bytes.substr(0, 36)).damage->where ==
        "record 2 at byte 19: the data are truncated; the file is still being written, or was "
        "truncated");
}

TEST_CASE("reading stops at any damaged byte, and says where") {
  const std::string bytes = three();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    INFO(at);
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Read result = read(damaged);
    CHECK(result.records.size() == (at < 19 ? 0 : at < 40 ? 1 : 2));
    REQUIRE(result.damage);
    CHECK(result.damage->severity == Severity::kDataLoss);
  }
  std::string damaged = bytes;
  damaged[31] = 'T';
  CHECK(read(damaged).damage->where ==
        "record 2 at byte 19: the checksum of the data does not match");
  damaged[19] = '\x06';
  CHECK(read(damaged).damage->where ==
        "record 2 at byte 19: the checksum of the length does not match");
}

TEST_CASE("without checksums of data only damage to lengths is seen") {
  std::string bytes = three();
  bytes[12] = 'O';
  CHECK(read(bytes, DataChecksums::kSkip).records == std::vector<std::string>{"One", "three", ""});
  bytes[19] = '\x04';
  CHECK(read(bytes, DataChecksums::kSkip).damage);
}

TEST_CASE("a length of nearly 2^64 with its right checksum does not wrap around") {
  const std::string length(8, '\xff');
  std::string bytes = length;
  const std::uint32_t crc = mask_crc(crc32c(length));
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>((crc >> (8 * i)) & 0xffU);
  const Read result = read(bytes + std::string(100, 'x'));
  CHECK(result.records.empty());
  REQUIRE(result.damage);
  CHECK(result.damage->severity == Severity::kNotice);
}

TEST_CASE("an event file is known by the checksum of its first length") {
  CHECK(is_event_file(framed("anything")));
  CHECK(is_event_file(framed("")));
  CHECK_FALSE(is_event_file(""));
  CHECK_FALSE(is_event_file("node { name: 'a' }"));
  // A damaged one by what it looks like: a length, and a time stamp where the data begin.
  std::string bytes = framed(std::string("\x09\0\0\0\0\0\0\xf0\x3f", 9));
  bytes[8] = static_cast<char>(bytes[8] ^ 1);
  CHECK(is_event_file(bytes));
}

}  // namespace tideline::events
