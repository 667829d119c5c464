#include "core/graph/tensor_table.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("bytes are dims times element size; an unknown first dim is the batch size") {
  const io::Document document = test::read_graph(R"(
    a = Placeholder() f32[?,784]
    b = Placeholder() f16[?,?,3]
    c = Placeholder() f32?
    d = VarHandleOp() res[]
    e = Const() i64[0,5]
  )");
  const auto without = TensorTable::build(document.graph, {});
  const auto with = TensorTable::build(document.graph, {.batch_size = 32});
  REQUIRE(without);
  REQUIRE(with);
  const auto bytes = [](const TensorTable& table, std::uint32_t op) {
    return table.bytes({OpId{op}, 0});
  };
  CHECK(bytes(*without, 0) == 784 * 4);
  CHECK(bytes(*with, 0) == 32 * 784 * 4);
  CHECK(bytes(*with, 1) == 32 * 1 * 3 * 2);  // other unknown dims count 1
  CHECK(bytes(*with, 2) == 1);               // unknown rank: one byte in all
  CHECK(bytes(*with, 3) == 0);               // a handle's elements lie elsewhere
  CHECK(bytes(*with, 4) == 0);
  CHECK(without->unknown_count() == 3);
  CHECK(with->unknown_count() == 2);
}

TEST_CASE("the number of outputs follows from the signature, the record and the readers") {
  const io::Document document = test::read_graph(R"(
    a = Const() f32[4]
    split = Split(a, a) f32[2] f32[2] +num_split=2
    odd = NobodyKnowsThis(a)
    x = Relu(odd:3)
    y = Relu(split:5)
  )");
  const auto table = TensorTable::build(document.graph, {});
  REQUIRE(table);
  CHECK(table->output_count(OpId{1}) == 6);
  CHECK(table->output_count(OpId{2}) == 4);
  CHECK(table->is_unknown({OpId{2}, 3}));
  CHECK(table->reads_past_outputs() == 1);  // of the op whose outputs are declared
  // Op bytes: all input and output slots, also those nobody reads.
  CHECK(op_bytes(document.graph, *table, OpId{1}) == 16 + 16 + 8 + 8 + 4);
}

TEST_CASE("impossible shapes and numbers of outputs are errors that name op and attribute") {
  const auto error_of = [](std::string_view text) {
    const auto table = TensorTable::build(test::read_graph(text).graph, {});
    return table ? "" : table.error().message;
  };
  CHECK(error_of("a = Placeholder() f32[3] +shape=[-5,2]\n") ==
        "op 'a': attr 'shape': shape: dim 0 is -5; expected -1 or more");
  CHECK(error_of("a = Placeholder() f32[8589934592,8589934592]\n").find("'_output_shapes'") !=
        std::string::npos);
  CHECK(error_of("a = Const() f32[4]\n b = Split(a, a) +num_split=-1\n").find("attr 'num_split'") !=
        std::string::npos);
  CHECK(error_of("a = Const() f32[4]\n b = Split(a, a) +num_split=99999999\n")
            .find("attr 'num_split'") != std::string::npos);
}

TEST_CASE("reference outputs keep their mark and count like their base type") {
  const io::Document document = test::read_graph("v = VariableV2() f32[3,3]\n");
  const auto table = TensorTable::build(document.graph, {});
  REQUIRE(table);
  CHECK(is_reference(table->type({OpId{0}, 0})));
  CHECK(table->bytes({OpId{0}, 0}) == 36);
}

}  // namespace tideline
