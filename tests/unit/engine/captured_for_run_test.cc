#include "app/engine/captured_for_run.h"

#include <catch2/catch.hpp>

#include "core/io/functions.h"
#include "core/io/saved_model.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

namespace tideline::app {
namespace {

io::Document train_step() {
  Progress silent;
  const auto model =
      io::read_saved_model((test::kData / "saved_models/train_step").string(), silent, {});
  REQUIRE(model);
  auto body = io::open_function(*model, "__inference_train_step_138");
  REQUIRE(body);
  return *std::move(body);
}

}  // namespace

TEST_CASE("a step's captured variables begin as their roles say", "[engine]") {
  const io::Document document = train_step();
  const auto captured = captured_for_run(document);
  REQUIRE(captured);
  CHECK(captured->size() == 12);
  int drawn = 0;
  for (const runtime::CapturedVariable& variable : *captured) {
    CHECK(variable.saved_as.size() == 2);
    if (variable.first.min == variable.first.max) continue;
    ++drawn;
    CHECK((variable.first.dims.size() > 1) == (variable.first.min < 0));
  }
  CHECK(drawn == 4);
  CHECK(checkpoint_of_model(document).ends_with("variables/variables"));
}

TEST_CASE("what two graphs capture begins with the same values in both", "[engine]") {
  const io::Document document = train_step();
  auto original = *captured_for_run(document);
  original.front().first.min = original.front().first.max = 7;
  const auto like = captured_like(document, original);
  REQUIRE(like);
  CHECK(like->size() == original.size());
  CHECK(like->front().first.min == 7);
}

TEST_CASE("a variable of another shape is no variable of the original", "[engine]") {
  const io::Document document = train_step();
  auto original = *captured_for_run(document);
  original.front().first.dims.push_back(7);
  const auto like = captured_like(document, original);
  REQUIRE_FALSE(like);
  CHECK_THAT(like.error().message, Catch::Matchers::Contains(original.front().first.name) &&
                                       Catch::Matchers::Contains("expected"));
}

TEST_CASE("a graph that captures nothing has no values to begin with", "[engine]") {
  const io::Document document = test::read_graph("w = VariableV2() f32[3] +shape=[3]");
  CHECK(captured_for_run(document)->empty());
  CHECK(checkpoint_of_model(document).empty());
}

}  // namespace tideline::app
