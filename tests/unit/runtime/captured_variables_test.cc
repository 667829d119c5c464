#include "core/runtime/captured_variables.h"

#include <catch2/catch.hpp>

#include "core/runtime/training.h"
#include "tests/support/graph_text.h"

namespace tideline::runtime {
namespace {

using Catch::Matchers::Contains;

const char* const kStep = R"(
x = Placeholder() +dtype=f32 +shape=[2,3]
w = Placeholder() +dtype=res +shape=[]
table = Placeholder() +dtype=res +shape=[]
w/Read = ReadVariableOp(w) +dtype=f32
y = Mul(x, w/Read) +T=f32
loss = Mean(y)
update = AssignSubVariableOp(w, y, ^loss) +dtype=f32
lookup = LookupTableFindV2(table, x, x)
)";

TrainingRequest request() {
  TrainingRequest wanted;
  wanted.train = "update";
  wanted.loss = "loss";
  CapturedVariable captured;
  captured.first = {.name = "w", .path = "", .type = DataType::kFloat, .dims = {3}, .min = -1};
  wanted.captured = {captured};
  return wanted;
}

}  // namespace

TEST_CASE("captured handles are variables of the graph that is sent", "[runtime]") {
  Progress silent;
  const io::Document document = test::read_graph(kStep);
  const auto training = prepare_training(document, request(), silent);
  REQUIRE(training);
  REQUIRE(training->variables.size() == 1);
  CHECK(training->variables[0].name == "w");
  CHECK(training->initialisers.empty());
  const auto sent = io::read_document("sent", own_bytes(training->graph_def), silent);
  REQUIRE(sent);
  CHECK(sent->graph.op_count() == document.graph.op_count() + 3);
  const OpId variable = test::op(*sent, "w");
  CHECK(sent->graph.type(variable) == "VarHandleOp");
  CHECK((*sent->graph.attribute(variable, "shared_name"))->string == "w");
  CHECK((*sent->graph.attribute(variable, "shape"))->shape == Shape::of({3}));
  CHECK(sent->graph.type(test::op(*sent, "table")) == "Placeholder");
  const OpId assign = test::op(*sent, training->variables[0].assign);
  CHECK(sent->graph.inputs(assign)[0].op == variable);
  CHECK(sent->graph.name(sent->graph.inputs(assign)[1].op) == training->variables[0].initial.op);
}

TEST_CASE("captured variables need not be fed, other handles are refused", "[runtime]") {
  const io::Document document = test::read_graph(kStep);
  const std::vector<Feed> feeds = {*Feed::open(*parse_feed("x=float32:2x3"))};
  CHECK(match_feeds(document, request(), feeds));
  TrainingRequest with_table = request();
  with_table.train = "lookup";
  const auto refused = match_feeds(document, with_table, feeds);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("placeholder 'table'") && Contains("tables"));
}

TEST_CASE("numbers that are drawn lie between their limits", "[runtime]") {
  FeedRequest first = {.name = "w", .path = "", .type = DataType::kFloat, .dims = {100}, .min = -2};
  const auto value = Feed::open(first)->value(0);
  REQUIRE(value);
  double least = 0;
  double most = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    least = std::min(least, *element_number(*value, i));
    most = std::max(most, *element_number(*value, i));
  }
  CHECK((least < -1 && least >= -2 && most > 0 && most < 1));
  first.min = first.max = 1;
  CHECK(element_number(*Feed::open(first)->value(0), 7) == 1.0);
}

}  // namespace tideline::runtime
