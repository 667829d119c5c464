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

TEST_CASE("a graph without a record gets its shapes by inference, the compatible model with -1") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() +dtype=f32 +shape=[?,128,768]
    to = Const() +dtype=i32 +value=i32[2]{-1,768}
    flat = Reshape(x, to) +T=f32
  )");
  const auto compatible = TensorTable::build(document.graph, {.batch_size = 4});
  REQUIRE(compatible);
  const TensorId flat{OpId{2}, 0};
  CHECK(to_string(compatible->shape(flat)) == "[?,768]");
  CHECK(compatible->bytes(flat) == 4 * 768 * 4);  // the reference's rule: 128 times too small
  CHECK(compatible->inferred_count() == 3);

  const auto faithful =
      TensorTable::build(document.graph, {.batch_size = 4, .model = SizeModel::kFaithful});
  REQUIRE(faithful);
  CHECK(to_string(faithful->shape(flat)) == "[512,768]");
  CHECK(faithful->bytes(flat) == 4 * 128 * 768 * 4);
  CHECK_FALSE(faithful->is_unknown(flat));

  const auto open = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(open);
  CHECK(to_string(open->shape(flat)) == "[?,768]");
  CHECK(open->bytes(flat) == 128 * 768 * 4);  // one example
  CHECK(open->is_unknown(flat));
}

TEST_CASE("a recorded shape stands in the compatible model, even one of unknown rank") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[4,8]
    y = Relu(x) f32?
    z = Relu(x) f32[4,9]
    w = Tanh(z) +T=f32
  )");
  const auto compatible = TensorTable::build(document.graph, {});
  REQUIRE(compatible);
  CHECK(to_string(compatible->shape({OpId{1}, 0})) == "?");
  CHECK(to_string(compatible->shape({OpId{2}, 0})) == "[4,9]");
  CHECK(to_string(compatible->shape({OpId{3}, 0})) == "[4,9]");
  CHECK(compatible->difference_count() == 1);
  CHECK(compatible->first_difference() == "z:0: recorded [4,9], inferred [4,8]");
  const auto faithful = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(faithful);
  CHECK(to_string(faithful->shape({OpId{1}, 0})) == "[4,8]");
  CHECK(to_string(faithful->shape({OpId{2}, 0})) == "[4,8]");  // what the op really computes
  CHECK(to_string(faithful->shape({OpId{3}, 0})) == "[4,8]");
  CHECK(faithful->difference_count() == 1);
  CHECK(faithful->first_difference() == "z:0: recorded [4,9], inferred [4,8]");
}

TEST_CASE("shapes of TensorFlow 1.13 count as 2.15 allocates them, and consumers follow") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[4,6,6,8]
    c = Placeholder() f32[8]
    bn = FusedBatchNormGrad(x, x, c, c, c) f32[4,6,6,8] f32[8] f32[8] f32[8] f32[8] +T=f32
    copy = Identity(bn:3) f32[8] +T=f32
  )");
  const auto faithful = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(faithful);
  CHECK(faithful->difference_count() == 3);
  CHECK(faithful->bytes({OpId{2}, 2}) == 32);
  CHECK(faithful->bytes({OpId{2}, 3}) == 0);
  CHECK(faithful->bytes({OpId{2}, 4}) == 0);
  CHECK(faithful->bytes({OpId{3}, 0}) == 0);
  const auto compatible = TensorTable::build(document.graph, {});
  REQUIRE(compatible);
  CHECK(compatible->bytes({OpId{2}, 3}) == 32);  // as the reference counts
  const auto given = TensorTable::build(
      document.graph, {.shapes = {{"bn:3", Shape::of({8})}}, .model = SizeModel::kFaithful});
  REQUIRE(given);
  CHECK(given->bytes({OpId{2}, 3}) == 32);  // what the user says is certain
}

TEST_CASE("given shapes count, and those that cannot be are refused") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() +dtype=f32
    y = Relu(x) +T=f32
    z = Placeholder() f32[?,8]
    n = NoOp()
  )");
  const auto given = [&](const char* text) {
    return TensorTable::build(document.graph, {.shapes = {*parse_given_shape(text)}});
  };
  CHECK(to_string(given("x=3x?")->shape({OpId{1}, 0})) == "[3,?]");
  CHECK(to_string(given("x:0=scalar")->shape({OpId{1}, 0})) == "[]");
  CHECK(to_string(given("z=5x?")->shape({OpId{2}, 0})) == "[5,8]");
  CHECK(given("nobody=3").error().code == Code::kNotFound);
  CHECK(given("x:7=3").error().code == Code::kNotFound);
  CHECK(given("n=3").error().code == Code::kNotFound);
  CHECK(given("z=5x9").error().code == Code::kInvalidArgument);
  CHECK(given("z=5").error().code == Code::kInvalidArgument);
}

TEST_CASE("the text of a given shape") {
  const auto text = [](const char* shape) {
    const auto given = parse_given_shape(shape);
    return given ? given->name + " " + to_string(given->shape) : "refused";
  };
  CHECK(text("a/b:1=1x28x?") == "a/b:1 [1,28,?]");
  CHECK(text("x=scalar") == "x []");
  CHECK(text("x=7") == "x [7]");
  CHECK(text("a=b=0") == "a=b [0]");
  for (const char* wrong : {"x", "x=", "=3", "x=3x", "x=x3", "x=-1", "x=+1", "x=3,4", "x=1x?2",
                            "x=99999999999999999999"}) {
    CHECK(text(wrong) == "refused");
  }
}

}  // namespace tideline
