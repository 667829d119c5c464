#include "core/events/hparams.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

const std::string kForeign = TIDELINE_SOURCE_DIR "/tests/data/foreign/logs/";

EventLog log_at(const std::string& path) {
  Progress silent;
  auto log = test::read_event_log(path, AtDamage::kStop, silent);
  REQUIRE(log);
  return *std::move(log);
}

std::vector<std::string> names_of(const HparamsTable& table) {
  std::vector<std::string> names = table.names;
  for (const auto& metric : table.metrics) names.push_back(metric_name(metric));
  return names;
}

std::vector<std::string> cells_of(const HparamsTable::Row& row) {
  std::vector<std::string> cells = {row.run, row.status};
  for (const HparamValue& value : row.values) cells.push_back(hparam_text(value));
  for (const auto& metric : row.metrics) {
    cells.push_back(metric ? std::to_string(metric->value) : "none");
  }
  return cells;
}

using Texts = std::vector<std::string>;

// A value with the metadata of the plugin: `member` of its message is `content`.
std::string hparams_value(std::string_view tag, std::uint32_t member, std::string_view content) {
  using namespace summary_metadata;
  const std::string data = test::bytes_field(kPluginName, "hparams") +
                           test::bytes_field(kPluginContent, test::bytes_field(member, content));
  return test::summary_value_of(
      tag, test::bytes_field(summary_value::kMetadata, test::bytes_field(kPluginData, data)));
}

std::string start_with(const std::vector<std::string>& names) {
  std::string start;
  for (const std::string& name : names) {
    const std::string number = "\x11" + test::double_bytes(1);
    start += test::bytes_field(1, test::bytes_field(1, name) + test::bytes_field(2, number));
  }
  return hparams_value("_hparams_/session_start_info", 3, start);
}

}  // namespace

TEST_CASE("hyperparameters and metrics of an experiment are a table with a row for each run") {
  const HparamsTable table = hparams_table(log_at(kForeign + "hparams"));
  CHECK(names_of(table) ==
        Texts{"lr", "units", "optimizer", "batch_norm", "seed", "validation/accuracy", "loss"});
  REQUIRE(table.rows.size() == 2);
  CHECK(cells_of(table.rows[0]) ==
        Texts{"run0", "success", "0.1", "8", "adam", "true", "7", "0.600000", "0.433333"});
  CHECK(cells_of(table.rows[1]) ==
        Texts{"run1", "unknown", "0.01", "16", "sgd", "false", "7", "0.510000", "0.343333"});
  CHECK(table.rows[0].metrics[1]->step == 2);
  // The last values up to a step.
  const HparamsTable before = hparams_table(log_at(kForeign + "hparams"), 0, 1);
  CHECK_FALSE(before.rows[0].metrics[0]);
  CHECK(before.rows[0].metrics[1]->value == Approx(0.6));
}

TEST_CASE("without an experiment columns are what the runs set and log") {
  const HparamsTable table = hparams_table(log_at(kForeign + "hparams_alone"));
  CHECK(names_of(table) == Texts{"lr", "name", "loss"});
  REQUIRE(table.rows.size() == 2);
  CHECK(cells_of(table.rows[0]) == Texts{"a", "unknown", "0.5", "a", "1.500000"});
  CHECK(std::isnan(table.rows[1].metrics[0]->value));
}

TEST_CASE("metrics belong to the nearest run above, and what a run did not set is empty") {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& run, const std::string& values) {
    std::filesystem::create_directories(folder.file("log/" + run));
    std::ofstream(folder.file("log/" + run + "/tfevents"), std::ios::binary)
        << test::summary_record(1, values);
  };
  write("", start_with({"a"}) + test::simple_value("loss", 1));
  write("x/inner", start_with({"b"}) + test::simple_value("loss", 2));
  write("x/inner/deep", test::simple_value("loss", 3));
  write("other", test::simple_value("loss", 4));
  const HparamsTable table = hparams_table(log_at(folder.file("log")));
  CHECK(names_of(table) == Texts{"a", "b", "loss", "other/loss", "deep/loss"});
  REQUIRE(table.rows.size() == 2);
  CHECK(cells_of(table.rows[0]) == Texts{".", "unknown", "1", "", "1.000000", "4.000000", "none"});
  CHECK(cells_of(table.rows[1]) ==
        Texts{"x/inner", "unknown", "", "1", "2.000000", "none", "3.000000"});
}

TEST_CASE("a table of hyperparameters has limits, and says what is beyond them") {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kMostHparamColumns + 3; ++i) names.push_back(std::to_string(i));
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("tfevents"), std::ios::binary)
      << test::summary_record(0, start_with(names));
  const HparamsTable table = hparams_table(log_at(folder.file("tfevents")));
  CHECK(table.names.size() == kMostHparamColumns);
  CHECK(table.left_out == 3);
}

TEST_CASE("metadata that are no message of the plugin are left out") {
  CHECK_FALSE(decode_hparams("").is_start);
  CHECK_FALSE(decode_hparams("\x1a\x7f").is_start);
  CHECK(decode_hparams(std::string("\x1a\x00", 2)).is_start);
  CHECK(decode_hparams(std::string("\x22\x00", 2)).status == "unknown");
  CHECK(hparam_text({}).empty());
}

}  // namespace tideline::events
