#include "core/graph/placeholder_shape.h"

#include <catch2/catch.hpp>

#include "core/graph/graph_edit.h"
#include "core/graph/tensor_table.h"
#include "core/io/wire.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

const char* const kOps = R"(
  x = Placeholder() +dtype=f32 +shape=[]
  m = Placeholder() +dtype=f32 +shape=[4]
  y = PlaceholderV2() +dtype=f32 +shape=[]
  z = Relu(x) +T=f32
)";

// A GraphDef with that producer; none when it is negative.
io::Document graph_of(int producer) {
  std::string bytes = test::encode_graph(kOps);
  if (producer >= 0) {
    std::string versions;
    io::append_varint_field(versions, 1, static_cast<std::uint64_t>(producer));
    io::append_bytes(bytes, 4, versions);
  }
  Progress silent;
  auto document = io::read_document("g", own_bytes(bytes), silent);
  REQUIRE(document);
  return *std::move(document);
}

std::string shape_of(const Graph& graph, const char* name, const TensorOptions& options = {}) {
  const auto table = TensorTable::build(graph, options);
  INFO((table ? "" : table.error().message));
  REQUIRE(table);
  return to_string(table->shape({test::op(graph, name), 0}));
}

}  // namespace

TEST_CASE("a scalar placeholder of an old producer, or of none, has an unknown shape") {
  for (const int producer : {-1, 0, 19, 21}) {
    const io::Document document = graph_of(producer);
    INFO(producer);
    CHECK(document.graph.producer() == std::max(producer, 0));
    CHECK(shape_of(document.graph, "x") == "?");
    CHECK(shape_of(document.graph, "z") == "?");
    CHECK(shape_of(document.graph, "m") == "[4]");
    CHECK(shape_of(document.graph, "y") == "[]");  // PlaceholderV2 always told the two apart
    CHECK_FALSE(declared_shape(document.graph, test::op(document.graph, "x")).has_rank);
  }
  for (const int producer : {22, 27, 1645}) {
    const io::Document document = graph_of(producer);
    INFO(producer);
    CHECK(shape_of(document.graph, "x") == "[]");
    CHECK(declared_shape(document.graph, test::op(document.graph, "x")).has_rank);
  }
}

TEST_CASE("a shape can be given for an old placeholder that looks like a scalar") {
  TensorOptions options;
  options.shapes = {*parse_given_shape("x=32x10")};
  CHECK(shape_of(graph_of(19).graph, "z", options) == "[32,10]");
  CHECK_FALSE(TensorTable::build(graph_of(27).graph, options));
}

TEST_CASE("an edit of an old graph is as old, and a graph that no file holds is new") {
  const io::Document document = graph_of(19);
  GraphPlan plan;
  plan.control = {{OpId{3}, OpId{1}}};
  const auto edited = apply(document.graph, plan);
  REQUIRE(edited);
  CHECK(edited->producer() == 19);
  CHECK(Graph().producer() > 21);
}

}  // namespace tideline
