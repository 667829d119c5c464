#include "core/events/decode_events.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "core/events/summary_item.h"
#include "tests/support/made_summaries.h"

namespace tideline::events {
namespace {

RecordBlock block_of(const std::string& bytes) {
  RecordBlock block;
  std::memcpy(block.buffer.resize(bytes.size()), bytes.data(), bytes.size());
  block.file_bytes = bytes.size();
  return block;
}

std::vector<EventRows> decode(const std::string& bytes) {
  return decode_events(block_of(bytes));
}

bool read_usual_summary(const std::string& record, Event& event, std::vector<SummaryItem>& items) {
  return read_usual_event(record, event) && read_usual_values(event.content, items);
}

}  // namespace

TEST_CASE("the usual encoding is read at once, and as the general way reads it") {
  const std::string values =
      test::simple_value("loss", 0.25F) +
      test::tensor_value("new", "scalars", test::float_tensor(3)) +
      test::tensor_value("again", "", test::float_tensor(4)) +
      test::summary_value_of(
          "h", test::bytes_field(summary_value::kHistogram, test::histogram_of(0, 1, {1}, {2})));
  const std::string record = test::summary_event(7, values, 2.5);
  Event event;
  std::vector<SummaryItem> usual;
  REQUIRE(read_usual_summary(record, event, usual));
  CHECK(event.step == 7);
  CHECK(event.wall_time == 2.5);
  const auto scanned = scan_event(record);
  REQUIRE(scanned);
  CHECK(scanned->content == event.content);
  std::vector<SummaryItem> general;
  CHECK(read_checked_summary(scanned->content, general) == 0);
  REQUIRE(usual.size() == general.size());
  for (std::size_t i = 0; i < usual.size(); ++i) {
    CHECK(usual[i].tag == general[i].tag);
    CHECK(usual[i].form == general[i].form);
    CHECK(usual[i].metadata == general[i].metadata);
    CHECK(usual[i].content == general[i].content);
    CHECK(usual[i].simple_value == general[i].simple_value);
  }
}

TEST_CASE("an unusual encoding is left to the general way") {
  Event event;
  std::vector<SummaryItem> items;
  const std::string value = test::simple_value("a", 1);
  CHECK(read_usual_summary(test::summary_event(1, value), event, items));
  const std::vector<std::string> unusual = {
      test::summary_event(1, value) + "\x28\x01",                     // a field that nobody knows
      test::summary_event(1, value) + test::summary_event(2, value),  // everything twice
      test::summary_event(1, test::summary_value_of("a", "\x0a\x01z")),
      test::summary_event(1, test::summary_value_of("a", "")),  // no content
      test::summary_event(1, value).substr(0, 12),
      std::string("\x10\x01", 2),
      "",
  };
  for (const std::string& record : unusual) {
    CHECK_FALSE(read_usual_summary(record, event, items));
  }
}

TEST_CASE("an event is refused as a whole when one of its values breaks the format") {
  const std::string good = test::simple_value("a", 1);
  const std::string bad_tag = test::simple_value("\xff\xfe", 1);
  const auto rows = decode(test::summary_record(0, good) + test::summary_record(1, good + bad_tag) +
                           test::summary_record(2, good));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].records == 3);
  CHECK(rows[0].refused_records == 1);
  REQUIRE(rows[0].series.size() == 1);
  CHECK(rows[0].series[0].scalars == 2);
}

TEST_CASE("a value with two contents is refused alone") {
  const std::string twice = test::summary_value_of(
      "a", test::simple_value("", 1).substr(4) +
               test::bytes_field(summary_value::kTensor, test::float_tensor(2)));
  const auto rows = decode(test::summary_record(0, twice + test::simple_value("b", 3)));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].refused_values == 1);
  REQUIRE(rows[0].series.size() == 1);
  CHECK(rows[0].series[0].tag == "b");
}

TEST_CASE("forms that one series of a log may hold stay in the order of the file") {
  const std::string old = test::bytes_field(summary_value::kOldHistogram, "");
  const std::string values = test::summary_value_of("a", old) + test::summary_value_of("a", "") +
                             test::summary_value_of("a", old);
  const auto rows = decode(test::summary_record(0, values));
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].series[0].form == ValueForm::kNothing);
  CHECK(rows[2].series[0].form == ValueForm::kOldHistogram);
}

TEST_CASE("a tag that changes its form with every record takes memory for its points alone") {
  std::string bytes;
  for (int i = 0; i < 2000; ++i) {
    const std::string value = i % 2 == 0 ? test::simple_value("a", 1)
                                         : test::tensor_value("a", "", test::float_tensor(1));
    bytes += test::summary_record(i, value);
  }
  const auto rows = decode(bytes);
  REQUIRE(rows.size() == 2000);
  std::size_t points = 0;
  std::size_t capacity = 0;
  for (const EventRows& some : rows) {
    points += some.scalars.values.size();
    capacity += some.scalars.values.capacity() + some.scalars.series.capacity() +
                some.scalars.moments.capacity();
  }
  CHECK(points == 1000);
  CHECK(capacity < 10000);
}

TEST_CASE("wrong data end the rows of a block, with what was read before") {
  std::string bytes = test::summary_record(0, test::simple_value("a", 1));
  const std::size_t second = bytes.size();
  bytes += test::summary_record(1, test::simple_value("a", 2));
  bytes[second + 14] ^= 1;
  const auto rows = decode(bytes);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].series[0].scalars == 1);
  REQUIRE(rows[0].damage);
  CHECK(rows[0].damage->at == second);
  CHECK(rows[0].damage->bytes == bytes.size() - second);
  CHECK(rows[0].damage->what == DamageKind::kDataChecksum);
}

TEST_CASE("numbers of every type are scalars") {
  double number = 0;
  CHECK(tensor_number(test::float_tensor(1.5F), number));
  CHECK(number == 1.5);
  // double_val, int_val (negative), int64_val in raw content, half_val, bool_val; no value is 0.
  const std::vector<std::pair<std::string, double>> tensors = {
      {"\x08\x02\x31" + test::double_bytes(0.1), 0.1},
      {"\x08\x03\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", -1},
      {std::string("\x08\x09\x22\x08\x00\x00\x00\x00\x01\x00\x00\x00", 12), 4294967296.0},
      {std::string("\x08\x13\x68\x80\x78", 5), 1},
      {"\x08\x0a\x58\x01", 1},
      {"\x08\x01", 0},
      {std::string("\x08\x01\x12\x04\x12\x02\x08\x01", 8) + "\x2d" + test::float_bytes(7), 7},
  };
  for (const auto& [tensor, wanted] : tensors) {
    CHECK(tensor_number(tensor, number));
    CHECK(number == wanted);
  }
  CHECK_FALSE(tensor_number(test::text_tensor({"1"}), number));
  CHECK_FALSE(tensor_number(std::string("\x08\x01\x12\x04\x12\x02\x08\x02", 8), number));
}

}  // namespace tideline::events
