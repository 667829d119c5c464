#include "core/analysis/summary.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

bool is_batch_open(const char* text, std::optional<std::int64_t> batch_size = {}) {
  const io::Document document = test::read_graph(text);
  TensorOptions options;
  options.batch_size = batch_size;
  const auto tensors = TensorTable::build(document.graph, options);
  REQUIRE(tensors);
  const auto summary = summarize(GraphFacts(document.graph), document.collections, *tensors);
  REQUIRE(summary);
  return summary->is_batch_open;
}

}  // namespace

TEST_CASE("A batch is open if what is fed has an unknown first dimension and no size is given") {
  constexpr const char* kFed = "x = Placeholder() f32[?,4]\n y = Relu(x) f32[?,4]";
  CHECK(is_batch_open(kFed));
  CHECK_FALSE(is_batch_open(kFed, 100));
  CHECK(is_batch_open("x = IteratorGetNext() f32[?,4]"));
}

TEST_CASE("A batch that the file says is not open, whatever else is unknown") {
  CHECK_FALSE(is_batch_open("x = Placeholder() f32[12,4]\n y = Where(x) f32[?,2]"));
  CHECK_FALSE(is_batch_open("x = Placeholder() f32[]"));
  CHECK_FALSE(is_batch_open("y = MadeUp() f32[?,2]"));
}

}  // namespace tideline
