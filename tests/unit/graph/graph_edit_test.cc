#include "core/graph/graph_edit.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("an edit appends ops, reroutes inputs and adds control edges; the old graph stays") {
  const io::Document document = test::read_graph(R"(
    a = Const() f32[2,3]
    b = Relu(a) f32[2,3]
    c = Add(a, b, ^a) f32[2,3]
  )");
  const Graph& old = document.graph;
  GraphEdit edit(old);
  NewOp copy;
  copy.name = "copy";
  copy.type = "Identity";
  copy.device = "/cpu:0";
  copy.inputs = {{OpId{0}, 0}};
  copy.attributes = {{"T", AttrValue::of_type(DataType::kFloat)}};
  const OpId added = edit.add_op(copy);
  CHECK(added == OpId{3});
  edit.reroute(OpId{2}, 0, {added, 0});
  edit.add_control(OpId{2}, OpId{1});
  edit.add_control(OpId{2}, OpId{0});  // there already
  edit.add_control(added, OpId{1});
  const auto graph = edit.commit();
  REQUIRE(graph);

  CHECK(graph->op_count() == 4);
  CHECK(graph->inputs(OpId{2})[0] == TensorId{added, 0});
  CHECK(graph->inputs(OpId{2})[1] == TensorId{OpId{1}, 0});
  CHECK(graph->control_inputs(OpId{2}).size() == 2);
  CHECK(graph->find("copy") == added);
  CHECK(graph->device(added) == "/cpu:0");
  CHECK(graph->control_inputs(added)[0] == OpId{1});
  // Untouched ops share their bytes, changed ones say what the model says.
  CHECK(graph->encoded(OpId{1}).data() == old.encoded(OpId{1}).data());
  CHECK(graph->codec().input_texts(graph->encoded(OpId{2})) ==
        std::vector<std::string>{"copy", "b", "^a", "^b"});
  CHECK(graph->codec().input_texts(graph->encoded(added)) == std::vector<std::string>{"a", "^b"});
  CHECK(old.op_count() == 3);
  CHECK(old.inputs(OpId{2})[0] == TensorId{OpId{0}, 0});
}

TEST_CASE("an edit that cannot be made makes nothing") {
  const io::Document document = test::read_graph("a = Const()\n b = Relu(a)\n");
  SECTION("a name that is taken") {
    GraphEdit edit(document.graph);
    NewOp twin;
    twin.name = "a";
    twin.type = "Identity";
    edit.add_op(twin);
    const auto graph = edit.commit();
    REQUIRE_FALSE(graph);
    CHECK(graph.error().message == "op 'a': the name is taken");
  }
  SECTION("a slot that does not exist") {
    GraphEdit edit(document.graph);
    edit.reroute(OpId{1}, 1, {OpId{0}, 0});
    CHECK_FALSE(edit.commit());
  }
  SECTION("an op that does not exist") {
    GraphEdit edit(document.graph);
    edit.add_control(OpId{1}, OpId{9});
    CHECK_FALSE(edit.commit());
  }
}

}  // namespace tideline
