#include "core/memory/measured/traced_names.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("the executor's name for a fed value says which tensor it is") {
  const io::Document document = test::read_graph("x_1 = Placeholder() f32[2]");
  CHECK(fed_tensor(document.graph, "_arg_x_1_0_12") == TensorId{OpId{0}, 0});
  CHECK(!fed_tensor(document.graph, "_arg_y_0_1"));
  CHECK(!fed_tensor(document.graph, "_arg_"));
  CHECK(!fed_tensor(document.graph, "_arg_x"));
  CHECK(!fed_tensor(document.graph, "x_1_0_12"));
}

}  // namespace tideline
