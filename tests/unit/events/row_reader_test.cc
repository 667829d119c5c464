#include "core/events/row_reader.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>

#include "core/events/decode_events.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/events/made_events.h"

namespace tideline::events {
namespace {

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

EventLog read_log(const std::string& path) {
  Progress silent;
  auto log = test::read_event_log(path, AtDamage::kStop, silent);
  REQUIRE(log);
  return *std::move(log);
}

std::string histogram_value(const std::string& tag) {
  return test::summary_value_of(
      tag, test::bytes_field(summary_value::kHistogram,
                             test::histogram_of(-1, 2, {0, 1, 2, 3, 1e308}, {3, 4, 5, 6, 7})));
}

// The file at `path` as a log, as if it had `file_bytes`.
EventLog log_of_large_file(const std::string& path, const std::string& bytes,
                           std::uint64_t file_bytes) {
  write(path, bytes);
  RecordBlock block;
  std::memcpy(block.buffer.resize(bytes.size()), bytes.data(), bytes.size());
  block.file_bytes = file_bytes;
  EventLog log;
  log.add_file(0, {".", path});
  for (EventRows& rows : decode_events(block)) log.add(std::move(rows));
  return log;
}

}  // namespace

TEST_CASE("a content that is not copied is read again, and checked again") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("tfevents");
  const std::string bytes = test::log_of(test::event(0, event::kGraphDef, test::small_graph("a")));
  write(path, bytes);
  const EventLog log = read_log(path);
  const ValueRow& row = log.series().back().rows[0];
  REQUIRE_FALSE(log.copy_of(row));
  CHECK(RowReader(log).read(row).value_or("") == test::small_graph("a"));

  std::string changed = bytes;
  changed[changed.size() - 6] ^= 1;  // in the data
  for (const std::string& other :
       {changed, bytes.substr(0, bytes.size() - 1), bytes.substr(0, row.record_at + 5),
        bytes.substr(0, row.record_at), bytes.substr(0, row.record_at) + framed("short")}) {
    write(path, other);
    const auto content = RowReader(log).read(row);
    REQUIRE_FALSE(content);
    CHECK(content.error().code == Code::kIo);
    CHECK(content.error().message.find("not what was read before") != std::string::npos);
  }
  std::filesystem::remove(path);
  CHECK(RowReader(log).read(row).error().code == Code::kNotFound);
}

TEST_CASE("one reader reads rows of several files, at any place of their records") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("log"));
  for (const char name : {'a', 'b'}) {
    std::string events;
    for (int step = 0; step < 3; ++step) {
      const auto tensor = [&](char tag, std::size_t bytes) {
        return test::tensor_value(
            std::string(1, tag), "mine",
            test::bytes_field(tensor::kStringValue,
                              std::string(bytes, static_cast<char>(name + step))));
      };
      events += test::summary_record(step, tensor('s', 3) + tensor('l', 5000) + tensor('t', 3));
    }
    write(folder.file(std::string("log/tfevents.") + name), events);
  }
  const EventLog log = read_log(folder.file("log"));
  RowReader reader(log);
  REQUIRE(log.series().size() == 3);
  for (const Series& series : log.series()) {
    REQUIRE(series.rows.size() == 6);
    const std::size_t bytes = series.tag == "l" ? 5000 : 3;
    for (const std::size_t i : {0U, 3U, 1U, 4U, 5U, 2U}) {  // from one file to the other
      const auto content = reader.read(series.rows[i]);
      REQUIRE(content);
      const char letter = static_cast<char>((i < 3 ? 'a' : 'b') + static_cast<int>(i % 3));
      CHECK(content->ends_with(std::string(bytes, letter)));
    }
  }
}

TEST_CASE("the histograms of a large file are read from it, but not record by record again") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("tfevents");
  const std::string alone = test::summary_record(0, histogram_value("h"));
  std::string many;
  for (int i = 0; i < 4; ++i) many += histogram_value("h" + std::to_string(i));
  const std::string shared = test::summary_record(1, many);

  const EventLog small = log_of_large_file(path, alone, kMostCopiedFrom);
  CHECK(small.copy_of(small.series()[0].rows[0]));
  const EventLog large = log_of_large_file(path, alone, kMostCopiedFrom + 1);
  REQUIRE_FALSE(large.copy_of(large.series()[0].rows[0]));
  CHECK(RowReader(large).read(large.series()[0].rows[0]).value_or("?") ==
        small.copy_of(small.series()[0].rows[0]));
  const EventLog merged = log_of_large_file(path, shared, kMostCopiedFrom + 1);
  CHECK(merged.series().size() == 4);
  for (const Series& series : merged.series()) CHECK(merged.copy_of(series.rows[0]));
  // Texts are copied from any file.
  const EventLog text = log_of_large_file(
      path,
      test::summary_record(
          0, test::tensor_value("t", "text", test::bytes_field(tensor::kStringValue, "words"))),
      kMostCopiedFrom + 1);
  CHECK(text.copy_of(text.series()[0].rows[0]));
}

}  // namespace tideline::events
