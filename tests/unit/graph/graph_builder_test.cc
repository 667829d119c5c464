#include "core/graph/graph_builder.h"

#include <catch2/catch.hpp>

#include "core/io/document.h"
#include "core/io/wire_codec.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// The error with which reading `text` ends.
std::string error_of(std::string_view text) {
  Progress silent;
  const auto document = io::read_document("g.pb", own_bytes(test::encode_graph(text)), silent);
  return document ? "" : document.error().message;
}

}  // namespace

TEST_CASE("inputs are resolved to ops and slots, also when they name ops further down") {
  const io::Document document = test::read_graph(R"(
    late = Add(b:1, a)
    a = Const()
    b = Split(a, a:0, ^a)
  )");
  const Graph& graph = document.graph;
  REQUIRE(graph.op_count() == 3);
  const auto late = graph.inputs(test::op(graph, "late"));
  REQUIRE(late.size() == 2);
  CHECK(late[0] == TensorId{OpId{2}, 1});
  CHECK(late[1] == TensorId{OpId{1}, 0});
  const auto split = graph.inputs(test::op(graph, "b"));
  CHECK(split[0] == split[1]);
  REQUIRE(graph.control_inputs(OpId{2}).size() == 1);
  CHECK(graph.control_inputs(OpId{2})[0] == OpId{1});
  CHECK(graph.tensor_name({OpId{2}, 1}) == "b:1");
  CHECK_FALSE(graph.find("nobody").valid());
}

TEST_CASE("a digit at the end of a name is no slot") {
  const io::Document document = test::read_graph("conv_1 = Const()\n x = Relu(conv_1)\n");
  CHECK(document.graph.inputs(OpId{1})[0] == TensorId{OpId{0}, 0});
}

TEST_CASE("broken inputs are errors that name op and input") {
  CHECK(error_of("x = Relu(nosuch:2)\n").find("op 'x': input 'nosuch:2' names no op") !=
        std::string::npos);
  CHECK(error_of("x = Relu(^nosuch)\n").find("input '^nosuch'") != std::string::npos);
  CHECK(error_of("a = Const()\n x = Relu(a:99999999999)\n").find("impossible output slot") !=
        std::string::npos);
  CHECK(error_of("a = Const()\n x = Relu(^a, a)\n").find("after a control input") !=
        std::string::npos);
  CHECK(error_of("x = Const()\n x = Const()\n").find("the name 'x' is already used") !=
        std::string::npos);
}

TEST_CASE("names that cannot be referred to are errors") {
  const auto build = [](std::string_view name) {
    GraphBuilder builder(io::wire_codec(), own_bytes(""));
    builder.add_op({name, "Const", "", ""});
    const auto graph = builder.finish();
    return graph ? "" : graph.error().message;
  };
  using namespace std::string_literals;
  CHECK(build("").find("empty name") != std::string::npos);
  CHECK(build("^a").find("'^'") != std::string::npos);
  CHECK(build("long/enough/for/words:0").find("':'") != std::string::npos);
  CHECK(build("a\0b"s).find("control character") != std::string::npos);
  CHECK(build("a name that is long\n").find("control character") != std::string::npos);
  CHECK(build("\xff\xfe").find("UTF-8") != std::string::npos);
  for (std::size_t at = 0; at < 20; ++at) {  // in a word of eight bytes, and in the rest
    for (const char control : {'\x7f', '\x1b', '\x1f'}) {
      std::string name(20, 'n');
      name[at] = control;
      CHECK(build(name).find("control character") != std::string::npos);
    }
  }
  CHECK(build("畳み込み/層").empty());
  CHECK(build(std::string(20000, 'n')).empty());
}

TEST_CASE("thousands of ops find each other through growing tables") {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += fmt::format("op_{} = MadeUp(op_{}, ^op_{})\n", i, (i * 7919) % 5000, (i + 1) % 5000);
  }
  Progress silent;
  const auto document =
      io::read_document("g", own_bytes(test::encode_graph(text)), silent, {io::Cycles::kAllow, {}});
  REQUIRE(document);
  for (const OpId op : document->graph.ops()) {
    REQUIRE(document->graph.inputs(op)[0].op.value == (op.value * 7919) % 5000);
    REQUIRE(document->graph.control_inputs(op)[0].value == (op.value + 1) % 5000);
  }
}

}  // namespace tideline
