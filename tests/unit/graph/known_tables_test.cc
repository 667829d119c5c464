#include "core/graph/known_tables.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr const char* kText = R"(
  a = Placeholder() f32[?,784]
  b = Relu(a)
)";

}  // namespace

TEST_CASE("who asks for the same sizes of a graph shares a table, who asks for others does not") {
  const io::Document document = test::read_graph(kText);
  KnownTables known(document.graph);
  const auto table = [&](std::int64_t batch, SizeModel model) {
    const auto built =
        TensorTable::build(document.graph, {.batch_size = batch, .model = model, .known = &known});
    REQUIRE(built);
    return *built;
  };
  const auto place = [](const TensorTable& of) { return of.first_outputs().data(); };
  const TensorTable first = table(8, SizeModel::kFaithful);
  CHECK(place(table(8, SizeModel::kFaithful)) == place(first));
  CHECK(place(table(8, SizeModel::kCompatible)) != place(first));
  const TensorTable larger = table(16, SizeModel::kFaithful);
  CHECK(place(larger) != place(first));
  CHECK(larger.bytes({OpId{0}, 0}) == 2 * first.bytes({OpId{0}, 0}));
}

TEST_CASE("tables of another graph are built, and errors are not kept") {
  const io::Document document = test::read_graph(kText);
  const io::Document other = test::read_graph("c = Placeholder() f32[3]\n");
  KnownTables known(document.graph);
  const auto of_other = TensorTable::build(other.graph, {.known = &known});
  REQUIRE(of_other);
  CHECK(of_other->bytes({OpId{0}, 0}) == 12);
  for (int i = 0; i < 2; ++i) {
    const auto wrong =
        TensorTable::build(document.graph, {.shapes = {{"nobody", Shape{}}}, .known = &known});
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == Code::kNotFound);
  }
  CHECK(TensorTable::build(document.graph, {.known = &known}));
}

}  // namespace tideline
