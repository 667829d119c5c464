#include "core/events/summary_writer.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/events/record_writer.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "core/events/run_metadata.h"
#include "core/io/tensor_elements.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

// The only row of a log that holds `event`.
struct OnlyRow {
  explicit OnlyRow(const std::string& event) {
    std::ofstream(folder.file("tfevents"), std::ios::binary) << framed(event);
    Progress silent;
    auto read = test::read_event_log(folder.file("tfevents"), AtDamage::kStop, silent);
    REQUIRE(read);
    log = *std::move(read);
    REQUIRE(log.diagnostics().entries().empty());
    REQUIRE(log.series().size() == 1);
  }
  const Series& series() const { return log.series()[0]; }
  std::string content() const { return RowReader(log).read(series().rows.at(0)).value(); }

  test::TemporaryFolder folder;
  EventLog log;
};

}  // namespace

TEST_CASE("a curve's point is read back") {
  const OnlyRow row(scalar_event({2.5, 7}, "peak", 0.75));
  CHECK(row.series().tag == "peak");
  CHECK(row.series().points.at(0).step == 7);
  CHECK(row.series().points.at(0).wall_time == 2.5);
  CHECK(row.series().points.at(0).value == 0.75);
}

TEST_CASE("a histogram of whole numbers has a bucket for each, and gaps between them") {
  const std::vector<NumberCount> counts = {{-1, 4}, {2, 5}, {3, 6}};
  const OnlyRow row(histogram_event({1, 0}, "distances", counts));
  REQUIRE(row.series().kind == SeriesKind::kHistogram);
  const auto buckets = histogram_buckets(row.series().rows[0].form, row.content());
  REQUIRE(buckets);
  std::vector<std::vector<double>> found;
  for (const HistogramBucket& bucket : *buckets) {
    found.push_back({bucket.left, bucket.right, bucket.count});
  }
  CHECK(found == std::vector<std::vector<double>>{
                     {-1.5, -0.5, 4}, {-0.5, 1.5, 0}, {1.5, 2.5, 5}, {2.5, 3.5, 6}});
}

TEST_CASE("pictures and texts are read back") {
  const OnlyRow picture(image_event({1, 0}, "memory", 12, 34, "\x89PNG..."));
  const std::string content = picture.content();
  const auto images = image_values(picture.series().rows[0].form, content);
  REQUIRE(images);
  CHECK(images->width == 12);
  CHECK(images->height == 34);
  CHECK(images->encoded.at(0) == "\x89PNG...");
  const OnlyRow text(text_event({1, 0}, "note", "**bold**"));
  REQUIRE(text.series().kind == SeriesKind::kText);
  const std::string tensor = text.content();
  const auto decoded = io::decode_elements(tensor, 1000);
  REQUIRE(decoded);
  CHECK(decoded->texts.at(0) == "**bold**");
}

TEST_CASE("hyperparameters are rows of their plugin") {
  const std::vector<Hparam> hparams = {{"rate", 0.5}, {"guard", true}, {"mode", std::string("x")}};
  const OnlyRow start(hparams_start_event({1, 0}, hparams));
  CHECK(start.series().kind == SeriesKind::kHparams);
  CHECK(start.series().tag == "_hparams_/session_start_info");
  CHECK(plugin_content(start.series().metadata).find("guard") != std::string_view::npos);
  CHECK(OnlyRow(hparams_end_event({1, 0})).series().tag == "_hparams_/session_end_info");
}

TEST_CASE("run metadata are read back as executions") {
  DeviceStatsWriter device("/device:GPU:0");
  WrittenExecution execution;
  execution.op = "conv/Relu";
  execution.label = "conv/Relu = Relu";
  execution.begin_ns = 1'000'000'500;
  execution.end_ns = 1'000'002'500;
  execution.bytes = 4096;
  execution.allocator = "GPU_0_bfc";
  execution.outputs.push_back({DataType::kFloat, true, {8, 128}, 4096});
  execution.outputs.push_back({DataType::kInt32, false, {}, 0});
  device.add(execution);
  const OnlyRow row(
      run_metadata_event({1, 3}, "simulated", run_metadata_of(std::span(&device, 1))));
  CHECK(row.series().kind == SeriesKind::kRunMetadata);
  Diagnostics diagnostics;
  const auto trace = read_run_metadata(own_bytes(row.content()), diagnostics);
  REQUIRE(trace);
  CHECK(diagnostics.entries().empty());
  REQUIRE(trace->ops.size() == 1);
  CHECK(trace->ops[0].name == "conv/Relu");
  CHECK(trace->ops[0].duration_ns == 2000);
  REQUIRE(trace->outputs_of(trace->ops[0]).size() == 2);
  CHECK(trace->outputs_of(trace->ops[0])[0].requested == 4096);
  CHECK(trace->devices.at(0).name == "/device:GPU:0");
}

}  // namespace tideline::events
