#include "core/graph/fed_shapes.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("what a run is fed is as large as the tensor, whatever the placeholder says") {
  const io::Document document = test::read_graph(R"(
    ids = Placeholder() i32[?,128]
    flat_shape = Const() +value=i32[2]{-1,16} +dtype=i32
    hidden = Placeholder() f32[?,128,16] +shape=[?,128,16]
    flat = Reshape(hidden, flat_shape) f32[?,16] +T=f32
    rank = MadeUp(ids) f32?
  )");
  TensorOptions options;
  options.batch_size = 4;
  options.model = SizeModel::kFaithful;
  const auto tensors = TensorTable::build(document.graph, options);
  REQUIRE(tensors);
  Cycle cycle;
  CycleRun& run = cycle.runs.emplace_back();
  run.feeds = {{"feed_0", "hidden:0"},
               {"feed_1", "flat:0"},
               {"feed_2", "rank:0"},
               {"feed_3", "nowhere:0"},
               {"feed_4", "flat:7"}};
  const std::vector<GivenShape> shapes = fed_shapes(document.graph, *tensors, cycle);
  REQUIRE(shapes.size() == 2);
  CHECK(to_string(shapes[0].shape) == "[4,128,16]");
  CHECK(shapes[1].name == "feed_1");
  CHECK(to_string(shapes[1].shape) == "[512,16]");
}

}  // namespace tideline
