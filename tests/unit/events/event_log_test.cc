#include "core/events/event_log.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "core/events/decode_events.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/events/made_events.h"

namespace tideline::events {
namespace {

using test::float_tensor;
using test::simple_value;
using test::summary_record;
using test::tensor_value;

EventLog log_of_files(const std::vector<std::pair<std::string, std::string>>& files) {
  const test::TemporaryFolder folder;
  for (const auto& [name, bytes] : files) {
    const std::string path = folder.file("log/" + name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  Progress silent;
  auto log = test::read_event_log(folder.file("log"), AtDamage::kStop, silent);
  REQUIRE(log);
  return *std::move(log);
}

EventLog log_of_bytes(const std::string& bytes) {
  return log_of_files({{"events.out.tfevents.1", bytes}});
}

const Series& only_series(const EventLog& log) {
  REQUIRE(log.series().size() == 1);
  return log.series()[0];
}

std::vector<double> values_of(const Series& series) {
  std::vector<double> values;
  for (const ScalarPoint& point : series.points) values.push_back(point.value);
  return values;
}

}  // namespace

TEST_CASE("scalars of both forms become points of their tags") {
  std::string bytes;
  for (int step = 0; step < 3; ++step) {
    const auto value = static_cast<float>(step) + 0.5F;
    bytes += summary_record(step, simple_value("loss", value) + simple_value("accuracy", -value),
                            10.0 + step);
    bytes += summary_record(step, tensor_value("new", "scalars", float_tensor(2 * value)));
  }
  const EventLog log = log_of_bytes(bytes);
  REQUIRE(log.series().size() == 3);
  CHECK(log.series()[0].tag == "loss");
  CHECK(values_of(log.series()[0]) == std::vector{0.5, 1.5, 2.5});
  CHECK(values_of(log.series()[1]) == std::vector{-0.5, -1.5, -2.5});
  CHECK(log.series()[2].tag == "new");
  CHECK(log.series()[2].plugin == "scalars");
  CHECK(values_of(log.series()[2]) == std::vector{1.0, 3.0, 5.0});
  CHECK(log.series()[0].points[2].step == 2);
  CHECK(log.series()[0].points[2].wall_time == 12.0);
  CHECK(log.counts().rows == 9);
  CHECK(log.counts().records == 6);
}

TEST_CASE("tensors without metadata are what the first metadata of their tag said") {
  const std::string first = summary_record(0, tensor_value("t", "scalars", float_tensor(1)));
  const std::string next = summary_record(1, tensor_value("t", "", float_tensor(2)));
  CHECK(values_of(only_series(log_of_bytes(first + next + next))) == std::vector{1.0, 2.0, 2.0});
  // In a later file of the run, too; in another run nothing is known of the tag.
  const EventLog files =
      log_of_files({{"a/1.tfevents", first}, {"a/2.tfevents", next}, {"b/1.tfevents", next}});
  REQUIRE(files.series().size() == 2);
  CHECK(values_of(files.series()[0]) == std::vector{1.0, 2.0});
  CHECK(files.series()[1].kind == SeriesKind::kTensor);
  CHECK(RowReader(files).read(files.series()[1].rows[0]).value_or("") == "");  // the folder is gone
}

TEST_CASE("the order of a tag is that of the file, also where its metadata change") {
  std::string bytes = summary_record(0, tensor_value("t", "scalars", float_tensor(0)));
  for (int i = 1; i < 7; ++i) {
    bytes += summary_record(
        i, tensor_value("t", i % 2 == 0 ? "scalars" : "", float_tensor(static_cast<float>(i))));
  }
  const EventLog log = log_of_bytes(bytes);
  CHECK(values_of(only_series(log)) == std::vector{0., 1., 2., 3., 4., 5., 6.});
  CHECK(log.counts().rows == 7);
}

TEST_CASE("one tag may have a curve and a histogram") {
  const std::string histogram = test::summary_value_of(
      "w",
      test::bytes_field(summary_value::kHistogram, test::histogram_of(-1, 2, {0, 1e308}, {3, 4})));
  std::string bytes;
  for (int step = 0; step < 3; ++step) {
    bytes += summary_record(step, simple_value("w", 1) + histogram);
  }
  const EventLog log = log_of_bytes(bytes);
  REQUIRE(log.series().size() == 2);
  CHECK(log.series()[0].kind == SeriesKind::kScalar);
  REQUIRE(log.series()[1].kind == SeriesKind::kHistogram);
  REQUIRE(log.series()[1].rows.size() == 3);
  const ValueRow& row = log.series()[1].rows[2];
  const auto content = RowReader(log).read(row);  // a copy: the file is gone
  REQUIRE(content);
  const auto buckets = histogram_buckets(row.form, *content);
  REQUIRE(buckets);
  REQUIRE(buckets->size() == 2);
  CHECK((*buckets)[0].left == -1);
  CHECK((*buckets)[0].right == 0);
  CHECK((*buckets)[1].right == 2);
  CHECK((*buckets)[1].count == 4);
}

TEST_CASE("what is no scalar is refused, and rows read and refused are all rows") {
  const std::string matrix =
      std::string("\x08\x01\x12\x04\x12\x02\x08\x02\x22\x08", 10) + std::string(8, '\0');
  const EventLog log =
      log_of_bytes(summary_record(0, tensor_value("t", "scalars", float_tensor(1))) +
                   summary_record(1, tensor_value("t", "scalars", matrix)) +
                   summary_record(2, tensor_value("t", "", matrix)) +
                   summary_record(3, tensor_value("t", "", float_tensor(4))) + framed("no event?"));
  CHECK(values_of(only_series(log)) == std::vector{1.0, 4.0});
  CHECK(log.counts().rows == 2);
  CHECK(log.counts().refused_rows == 2);
  CHECK(log.counts().records == 4);
  CHECK(log.counts().refused_records == 1);
  REQUIRE(log.diagnostics().entries().size() == 2);
}

TEST_CASE("a restart is marked, and nothing is removed") {
  std::string bytes;
  for (const int step : {0, 1, 2, 3, 2, 3, 4, 1})
    bytes += summary_record(step, simple_value("t", 1));
  const EventLog log = log_of_bytes(bytes);
  CHECK(only_series(log).points.size() == 8);
  CHECK(only_series(log).restarts == std::vector<std::uint64_t>{4, 7});
}

TEST_CASE("two files of a run whose writers take turns have their points by step") {
  const auto file = [](std::initializer_list<int> steps) {
    std::string bytes;
    for (const int step : steps) {
      bytes += summary_record(step, simple_value("t", static_cast<float>(step)), 100.0 + step);
    }
    return bytes;
  };
  const EventLog log =
      log_of_files({{"1.tfevents", file({0, 1, 4, 5})}, {"2.tfevents", file({2, 3, 6, 7})}});
  CHECK(values_of(only_series(log)) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(only_series(log).restarts.empty());
  // Another run has restarts of its own.
  const EventLog again =
      log_of_files({{"a/1.tfevents", file({0, 1, 4, 5})}, {"b/1.tfevents", file({2, 3})}});
  REQUIRE(again.series().size() == 2);
  CHECK(again.series()[0].restarts.empty());
  CHECK(again.series()[1].restarts.empty());
}

TEST_CASE("writers that take turns with histograms have their rows by step") {
  const auto file = [](std::initializer_list<int> steps) {
    std::string bytes;
    for (const int step : steps) {
      const std::string histogram = test::histogram_of(0, step, {1, 1e308}, {1, 1});
      bytes += summary_record(
          step,
          test::summary_value_of("h", test::bytes_field(summary_value::kHistogram, histogram)),
          100.0 + step);
    }
    return bytes;
  };
  const EventLog log =
      log_of_files({{"1.tfevents", file({1, 2, 5})}, {"2.tfevents", file({3, 4, 6})}});
  const Series& series = only_series(log);
  REQUIRE(series.rows.size() == 6);
  RowReader reader(log);
  for (std::size_t row = 0; row < series.rows.size(); ++row) {
    CHECK(series.step(row) == static_cast<std::int64_t>(row) + 1);
    const auto content = reader.read(series.rows[row]);
    REQUIRE(content);
    CHECK(histogram_buckets(series.rows[row].form, *content)->back().right ==
          static_cast<double>(row) + 1);
  }
  CHECK(series.restarts.empty());
}

TEST_CASE("damage ends a file and not the log") {
  std::string damaged = summary_record(0, simple_value("t", 0)) +
                        summary_record(1, simple_value("t", 1)) +
                        summary_record(2, simple_value("t", 2));
  const std::size_t one = summary_record(1, simple_value("t", 1)).size();
  damaged[damaged.size() - one - 6] ^= 1;  // in the data of the second record
  const EventLog log = log_of_files(
      {{"1.tfevents", damaged}, {"2.tfevents", summary_record(7, simple_value("t", 7))}});
  CHECK(values_of(only_series(log)) == std::vector{0.0, 7.0});
  REQUIRE(log.damage().size() == 1);
  CHECK(log.damage()[0].record.what == DamageKind::kDataChecksum);
  CHECK(log.damage()[0].record.bytes == 2 * one);
}

TEST_CASE("events of every other kind are rows of their own") {
  const std::string metadata = test::tagged("step 5", "not looked into");
  const EventLog log = log_of_bytes(
      test::log_of(test::event(0, event::kGraphDef, test::small_graph("a")),
                   test::event(0, event::kMetaGraphDef, "?"),
                   test::event(5, event::kTaggedRunMetadata, metadata),
                   test::event(5, event::kSessionLog, "\x08\x01"),
                   test::event(6, event::kLogMessage, ""), std::string("\x10\x01", 2)));
  std::vector<std::string> kinds;
  for (const Series& series : log.series()) {
    kinds.emplace_back(std::string(kind_name(series.kind)) + " " + series.tag);
  }
  CHECK(kinds == std::vector<std::string>{"file_version ", "graph __run_graph__",
                                          "meta_graph __run_meta_graph__", "run_metadata step 5",
                                          "session_log ", "log_message "});
  CHECK(log.counts().rows == 6);
  CHECK(log.counts().empty_events == 1);
  CHECK(log.counts().records == 7);
}

TEST_CASE("a point takes at most 40 bytes of memory") {
  std::string bytes;
  constexpr int kSteps = 60'000;
  for (int step = 0; step < kSteps; ++step) {
    bytes += summary_record(step, simple_value("a", 1) + simple_value("b", 2));
  }
  CHECK(log_of_bytes(bytes).memory() <= std::size_t{40} * 2 * kSteps);
}

}  // namespace tideline::events
