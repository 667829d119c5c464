#include "app/engine/export_log.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::app {
namespace {

events::EventLog log_at(const test::TemporaryFolder& folder, const std::string& bytes) {
  std::filesystem::create_directories(folder.file("log"));
  std::ofstream(folder.file("log/tfevents"), std::ios::binary) << bytes;
  Progress silent;
  auto log = test::read_event_log(folder.file("log"), events::AtDamage::kStop, silent);
  REQUIRE(log);
  return *std::move(log);
}

std::set<std::string> files_below(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      names.insert(entry.path().lexically_relative(folder).native());
    }
  }
  return names;
}

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace

TEST_CASE("names become safe file names, and different ones stay different") {
  CHECK(safe_file_name("loss_1") == "loss_1");
  CHECK(safe_file_name("a/b") == "a%2Fb");
  CHECK(safe_file_name("..") == "%2E.");
  CHECK(safe_file_name("") == "%");
  CHECK(safe_file_name("a%2Fb") == "a%252Fb");
  const std::string long_name(400, 'x');
  CHECK(safe_file_name(long_name).size() < 255);
  CHECK(safe_file_name(long_name) != safe_file_name(long_name + "y"));
}

TEST_CASE("every row has its file, also rows of one step and images of one row") {
  const test::TemporaryFolder folder;
  const std::string images = test::tensor_value(
      "../im", "images", test::text_tensor({"2", "3", "\x89PNG first", "\x89PNG second"}));
  const auto log = log_at(
      folder, test::summary_record(1, test::simple_value("a/b", 0.5F) + images) +
                  test::summary_record(1, test::simple_value("a/b", 2) + images) +
                  test::summary_record(2, test::tensor_value("t", "mine", test::float_tensor(7))));
  Progress silent;
  const auto counts = export_log(log, {}, folder.file("out"), silent);
  REQUIRE(counts);
  CHECK(counts->files == 6);
  CHECK(files_below(folder.file("out")) ==
        std::set<std::string>{"%2E/%2E.%2Fim/image_1-2_0.png", "%2E/%2E.%2Fim/image_1-2_1.png",
                              "%2E/%2E.%2Fim/image_1_0.png", "%2E/%2E.%2Fim/image_1_1.png",
                              "%2E/a%2Fb/scalars.csv", "%2E/t/tensor_2.npy"});
  CHECK(content_of(folder.file("out/%2E/a%2Fb/scalars.csv")) ==
        "step,wall_time,value\n1,1,0.5\n1,1,2\n");
  CHECK(content_of(folder.file("out/%2E/%2E.%2Fim/image_1_1.png")) == "\x89PNG second");
}

TEST_CASE("an export that fails leaves nothing behind") {
  const test::TemporaryFolder folder;
  const auto log =
      log_at(folder, test::summary_record(0, test::simple_value("a", 1) +
                                                 test::tensor_value("im", "images", "\x08\x07")));
  Progress silent;
  const auto counts = export_log(log, {}, folder.file("out"), silent);
  REQUIRE_FALSE(counts);
  CHECK(counts.error().message.starts_with("tag 'im', step 0: "));
  CHECK(folder.entries() == 1);  // the log
  LogWish wish;
  wish.tag = *NamePattern::compile("a");
  CHECK(export_log(log, wish, folder.file("out"), silent));
  CHECK_FALSE(export_log(log, wish, folder.file("out"), silent));  // it exists
}

}  // namespace tideline::app
