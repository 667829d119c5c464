#include "core/analysis/variable_values.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

VariableValues values_of(const GraphFacts& facts) {
  const auto tensors = TensorTable::build(facts.graph(), {});
  REQUIRE(tensors);
  auto values = VariableValues::find(facts, *tensors);
  REQUIRE(values);
  return *std::move(values);
}

}  // namespace

TEST_CASE("what lies behind a handle is told by what is read and written through it") {
  const io::Document document = test::read_graph(R"(
    used = Placeholder() res[]
    written = Placeholder() res[]
    bare = Placeholder() res[]
    r = ReadVariableOp(used) f32[4,4]
    c = Const() i64[9]
    a = AssignAddVariableOp(written, c)
    next = IteratorGetNext(bare) f32[8]
  )");
  const GraphFacts facts(document.graph);
  const VariableValues values = values_of(facts);
  CHECK(values.of(test::op(document, "used")).source == ValueSource::kUse);
  CHECK(values.of(test::op(document, "written")).type == DataType::kInt64);
  CHECK(values.contradiction_count() == 0);
  const auto total = captured_total(values);
  REQUIRE(total);
  CHECK(total->variables == 2);
  CHECK(total->unknown == 0);
  CHECK(total->bytes == 16 * 4 + 9 * 8);
  REQUIRE(total->bare.size() == 1);
  CHECK(total->bare[0].op == test::op(document, "bare"));
  CHECK(total->bare[0].used_by == "IteratorGetNext");
  Diagnostics diagnostics;
  note_captured(document.graph, values, diagnostics);
  CHECK(diagnostics.entries().size() == 1);
}

TEST_CASE("an embedding that is only gathered from has as many rows as its slot") {
  const io::Document document = test::read_graph(R"(
    ids = Placeholder() i32[8]
    e = Placeholder() res[]
    m = Placeholder() res[]
    alone = Placeholder() res[]
    rows = ResourceGather(e, ids) f32[8,4]
    others = ResourceGather(alone, ids) f32[8,6]
    relu = Relu(rows) f32[8,4]
    axes = Const() i32[2]
    loss = Mean(relu, axes) f32[]
    shape = Const() i32[0]
    one = Const() f32[]
    seed = Fill(shape, one) f32[]
    spread = Tile(seed, axes) f32[8,4]
    d = ReluGrad(spread, relu) f32[8,4]
    old = ReadVariableOp(m) f32[50,4]
    moved = Mul(old, one) f32[50,4]
    keep = AssignVariableOp(m, moved)
    add = ResourceScatterAdd(m, ids, d, ^keep)
    now = ReadVariableOp(m, ^add) f32[50,4]
    step = GatherV2(now, ids, axes) f32[8,4]
    update = ResourceScatterSub(e, ids, step)
  )");
  const GraphFacts facts(document.graph);
  const VariableValues values = values_of(facts);
  CHECK(values.of(test::op(document, "e")).shape == Shape::of({50, 4}));
  CHECK(values.of(test::op(document, "e")).source == ValueSource::kSlot);
  CHECK(values.of(test::op(document, "alone")).shape == Shape::of({kUnknownDim, 6}));
  const auto total = captured_total(values);
  REQUIRE(total);
  CHECK(total->unknown == 1);
}

}  // namespace tideline
