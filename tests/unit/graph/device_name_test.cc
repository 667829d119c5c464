#include "core/graph/device_name.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

TEST_CASE("Device strings are read in all of their spellings", "[device_name]") {
  const auto full = parse_device("/job:worker/replica:0/task:1/device:GPU:2");
  REQUIRE(full);
  CHECK(full->job == "worker");
  CHECK(full->replica == "0");
  CHECK(full->task == "1");
  CHECK(full->type == "GPU");
  CHECK(full->index == "2");
  CHECK(device_text(*full) == "/job:worker/replica:0/task:1/device:GPU:2");
  CHECK(device_text(*parse_device("/gpu:3")) == "/device:GPU:3");
  CHECK(device_text(*parse_device("/CPU:0")) == "/device:CPU:0");
  CHECK(device_text(*parse_device("/device:xla_gpu:0")) == "/device:XLA_GPU:0");
  CHECK(device_text(*parse_device("/device:GPU")) == "/device:GPU:*");
  CHECK(device_text(*parse_device("")).empty());
}

TEST_CASE("What is no device string is not read as one", "[device_name]") {
  for (const char* text :
       {"gpu:0", "/", "/gpu", "/gpu:x", "/task:a", "/job:", "/device::0", "/device:GPU:", "/frog:1",
        "/job:a/", "/device:foo bar:0", "/device:1GPU:0", "/job:two words", "/job:1st", "/job:a-b",
        "/cpu:99999999999999999999", "/task:99999999999999999999"}) {
    INFO(text);
    CHECK_FALSE(parse_device(text));
  }
}

TEST_CASE("What a device string leaves open is filled in, and the rest stays", "[device_name]") {
  CHECK(merged_device("/device:CPU:0", "") == "/device:CPU:0");
  CHECK(merged_device("", "/gpu:1") == "/gpu:1");
  // Nothing is missing: the text is kept as it was spelled.
  CHECK(merged_device("/device:CPU:0", "/gpu:1") == "/gpu:1");
  CHECK(merged_device("/job:worker/task:1/device:GPU:0", "/gpu:1") ==
        "/job:worker/task:1/device:GPU:1");
  CHECK(merged_device("/job:worker/task:1/device:GPU:0", "/task:2") ==
        "/job:worker/task:2/device:GPU:0");
  CHECK(merged_device("/device:GPU:0", "what is this") == "what is this");
}

TEST_CASE("A process needs devices for the largest index of their type", "[device_name]") {
  const auto devices = [](const char* text) {
    return device_count(test::read_graph(text).graph, "CPU");
  };
  CHECK(devices("a = NoOp()") == 0);
  CHECK(devices("a = NoOp() @/device:GPU:7") == 0);
  CHECK(devices("a = NoOp() @/cpu:0\nb = NoOp() @/job:w/task:0/device:CPU:2") == 3);
  CHECK(devices("a = NoOp() @/device:CPU:*") == 0);
  CHECK(devices("a = NoOp() @/cpu:123456789") == 64);
  CHECK(devices("a = NoOp() @/cpu:99999999999999999999") == 0);  // no device
}

}  // namespace
}  // namespace tideline
