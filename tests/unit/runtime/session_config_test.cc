#include "core/runtime/session_config.h"

#include <catch2/catch.hpp>

#include "core/io/wire.h"
#include "core/runtime/training.h"
#include "tests/support/graph_text.h"

namespace tideline::runtime {
namespace {

// The entry of the map from device types to counts, field 1 of a ConfigProto; empty when there is
// none.
std::string device_counts(std::int32_t cpu_devices) {
  const std::string config = session_config({.cpu_devices = cpu_devices});
  io::FieldReader reader(config);
  std::string found;
  for (io::Field field; reader.next(field);) {
    if (field.is_bytes(1)) found += field.bytes;
  }
  return found;
}

TEST_CASE("TensorFlow is told of CPU devices only when there are several", "[runtime]") {
  CHECK(device_counts(1).empty());
  CHECK(device_counts(3) ==
        "\x0a\x03"
        "CPU\x10\x03");
}

TEST_CASE("A training has the CPU devices that its graph names", "[runtime]") {
  TrainingRequest request;
  request.train = "train";
  request.loss = "loss";
  Progress silent;
  const io::Document document = test::read_graph(R"(
    loss = Const() @/device:CPU:2 f32[]
    train = NoOp(^loss) @/gpu:5
  )");
  const auto training = prepare_training(document, request, silent);
  REQUIRE(training);
  CHECK(training->cpu_devices == 3);
}

}  // namespace
}  // namespace tideline::runtime
