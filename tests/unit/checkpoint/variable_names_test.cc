#include "core/checkpoint/variable_names.h"

#include "core/io/wire.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {

TEST_CASE("variables of a Keras model are found by the names that they have in its graph") {
  const Checkpoint checkpoint = opened(sample("small"));
  DataFiles files(checkpoint);
  const auto keys = keys_by_variable(files);
  REQUIRE(keys);
  CHECK(keys->at("conv2d_1/kernel") ==
        "model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE");
  for (const auto& [name, key] : *keys) {
    INFO(name);
    CHECK(checkpoint.find(key) != nullptr);
  }
}

TEST_CASE("a checkpoint without an object graph has the names as keys") {
  const Checkpoint checkpoint = opened(sample("sliced"));
  DataFiles files(checkpoint);
  CHECK(keys_by_variable(files)->empty());
}

TEST_CASE("an object graph that does not parse is refused") {
  std::string node;
  io::append_bytes(node, 2, "\x12\x7fshort");
  std::string graph;
  io::append_bytes(graph, 1, node);
  CHECK(parse_object_graph(graph).error().code == Code::kCorrupt);
  CHECK_FALSE(parse_object_graph("\x0a\x7f"));
  CHECK(parse_object_graph("")->empty());
}

}  // namespace tideline::checkpoint
