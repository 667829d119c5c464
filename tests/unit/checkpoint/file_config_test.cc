#include "core/checkpoint/file_config.h"

#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

std::string error_of(const std::string& text, const CheckpointFormat& format = kBundleFormat) {
  const auto config = parse_file_config(text, format);
  return config ? "read" : config.error().message;
}

}  // namespace

TEST_CASE("a configuration of the file backend is a prefix or JSON") {
  const auto parsed = [](std::string_view text) { return parse_file_config(text, kBundleFormat); };
  CHECK(parsed("/a/b-{step}")->path == "/a/b-{step}");
  CHECK(parsed("{step}")->has_steps());
  const auto config = parsed(
      R"({"path": "m-{step}", "async": true, "incremental": true, "keep_last": 3, "keep_every": 10})");
  REQUIRE(config);
  CHECK(config->is_async);
  CHECK(config->is_incremental);
  CHECK(config->keep_last == 3);
  CHECK(config->keep_every == 10);
  CHECK(*prefix_of_step(*config, 12) == "m-12");
  CHECK_FALSE(prefix_of_step(*config, -1));
  CHECK(*prefix_of_step(*parsed("m"), -1) == "m");
}

TEST_CASE("wrong configurations are refused with the field") {
  CHECK(error_of("") == "configuration: 'path': expected the prefix of a checkpoint");
  CHECK(error_of("folder/") == "configuration: 'path': expected the prefix of a checkpoint");
  CHECK(error_of("{\"path\": 1}") == "configuration: 'path': expected a prefix");
  CHECK(error_of("{\"pth\": \"m\"}") ==
        "configuration: 'pth': expected one of path, async, incremental, keep_last and keep_every");
  CHECK(error_of(R"({"path": "m", "incremental": true})", kSafetensorsFormat) ==
        "configuration: 'incremental': expected one of path, async, keep_last and keep_every");
  CHECK(error_of("{\"path\": \"m\", \"async\": 1}") ==
        "configuration: 'async': expected true or false");
  CHECK(error_of("{\"path\": \"m-{step}\", \"keep_last\": -1}") ==
        "configuration: 'keep_last': expected a number from 0 on");
  CHECK(error_of("{\"path\": \"m\", \"keep_last\": 1}")
            .starts_with("configuration: 'path': expected {step}"));
  CHECK(error_of("{step}/m").starts_with("configuration: 'path': expected {step} at most once"));
  CHECK(error_of("{\"path\"") == "configuration: expected a prefix or a JSON object");
}

TEST_CASE("only whole checkpoints of a step count, in the order of their numbers") {
  const test::TemporaryFolder folder;
  for (const char* name : {"m-10.index", "m-9.index", "m-x.index", "m-07.index",
                           "m-8.data-00000-of-00001", "n-1.index", "m-11.indexes"}) {
    write(folder.file(name), "");
  }
  const auto config = parse_file_config(folder.file("m-{step}"), kBundleFormat);
  REQUIRE(config);
  CHECK(saved_steps(*config) == std::vector<std::int64_t>{9, 10});
  CHECK(*prefix_to_load(*config, -1) == folder.file("m-10"));
  const auto files = parse_file_config(folder.file("m-{step}.index"), kSafetensorsFormat);
  REQUIRE(files);
  CHECK(saved_steps(*files) == std::vector<std::int64_t>{9, 10});
}

}  // namespace tideline::checkpoint
