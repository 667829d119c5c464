#include "core/checkpoint/state_file.h"

#include <catch2/catch.hpp>

namespace tideline::checkpoint {
namespace {

std::string latest(std::string_view text) {
  const auto found = parse_state_file(text);
  return found ? *found : found.error().message;
}

}  // namespace

TEST_CASE("a name with octal escapes in the file checkpoint is understood") {
  CHECK(latest("model_checkpoint_path: \"gr\\303\\266\\303\\237e.ckpt-1\"\n") == "größe.ckpt-1");
  CHECK(latest("model_checkpoint_path: \"\\x41\\u00e9\\U0001f600\\t\\\\\\'\\\"\"") == "Aé😀\t\\'\"");
  CHECK(latest("model_checkpoint_path: \"a\\0b\"") == std::string("a\0b", 3));
}

TEST_CASE("the text form is read as protobuf reads it") {
  CHECK(latest("# written by hand\nall_model_checkpoint_paths: [\"a\", 'b']\n"
               "all_model_checkpoint_timestamps: 1.5e9, last_preserved_timestamp: 2\n"
               "model_checkpoint_path:'m-' \"10\" # two parts\n") == "m-10");
  CHECK(latest("model_checkpoint_path: \"a\" model_checkpoint_path: \"b\"") == "b");
}

TEST_CASE("a file checkpoint without a name, or with a cut one, is refused") {
  for (const std::string text :
       {"", "nothing", "model_checkpoint_path: 5", "model_checkpoint_path: \"a",
        "model_checkpoint_path: \"", "model_checkpoint_path: \"\"",
        "model_checkpoint_path: \"a\nb\"", "model_checkpoint_path: \"\\q\"",
        "model_checkpoint_path: \"\\", "model_checkpoint_path"}) {
    INFO(text);
    CHECK(latest(text) == "expected a line with model_checkpoint_path");
  }
}

}  // namespace tideline::checkpoint
