#include "core/graph/shapes/called_loops.h"

#include <catch2/catch.hpp>

#include "core/graph/tensor_table.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

Function function(std::string_view body) {
  Function made{test::read_graph(body).graph, {}, {}};
  for (const OpId op : made.body.ops()) {
    if (made.body.type(op) == "_Arg") made.arguments.push_back(op);
    if (made.body.type(op) == "_Retval") made.results.push_back(op);
  }
  return made;
}

// i < limit; i + 1; a list gets a tensor of 256 bytes in each round.
FunctionLibrary library(std::string_view condition) {
  FunctionLibrary made;
  made.functions.emplace("cond",
                         function("i = _Arg()\nlimit = _Arg()\nlist = _Arg()\nx = _Arg()\n" +
                                  std::string(condition) + "\nr = _Retval(c)\n"));
  made.functions.emplace("body", function(R"(
    i = _Arg()
    limit = _Arg()
    list = _Arg()
    x = _Arg()
    one = Const() +value=i32[]{1}
    next = AddV2(i, one) +T=i32
    y = Tanh(x)
    put = TensorListPushBack(list, y)
    r0 = _Retval(next)
    same = Identity(limit)
    r1 = _Retval(same)
    r2 = _Retval(put)
    r3 = _Retval(y)
  )"));
  made.functions.emplace("train", function(R"(
    x = _Arg()
    limit = _Arg()
    zero = Const() +value=i32[]{0}
    shape = Const() +value=i32[2]{4,16}
    open = Const() +value=i32[]{-1}
    list = EmptyTensorList(shape, open) +element_dtype=f32
    loop = StatelessWhile(zero, limit, list, x) +cond=&cond +body=&body
    r0 = _Retval(loop)
    r1 = _Retval(loop:2)
  )"));
  return made;
}

const std::string kLoop = R"(
    x = Placeholder() +shape=[4,16] +dtype=f32
    zero = Const() +value=i32[]{0}
    limit = Const() +value=i32[]{40}
    shape = Const() +value=i32[2]{4,16}
    open = Const() +value=i32[]{-1}
    list = EmptyTensorList(shape, open) +element_dtype=f32
    loop = StatelessWhile(zero, limit, list, x) +cond=&cond +body=&body
    i = Identity(loop) +T=i32
    l = Identity(loop:2) +T=variant
    e = Identity(loop:3) +T=f32
)";

struct Sizes {
  io::Document document;
  TensorTable tensors;

  Sizes(const std::string& text, const FunctionLibrary& functions, TensorOptions options = {})
      : document(test::read_graph(text)) {
    options.model = SizeModel::kFaithful;
    options.functions = &functions;
    auto built = TensorTable::build(document.graph, options);
    REQUIRE(built);
    tensors = *std::move(built);
  }
  [[nodiscard]] Bytes list(const char* op = "loop") const {
    return tensors.bytes({test::op(document, op), op == std::string("loop") ? 2U : 1U});
  }
};

}  // namespace

TEST_CASE("a While op with a counter and a limit runs until the counter reaches it") {
  const FunctionLibrary functions = library("c = Less(i, limit) +T=i32");
  const Sizes sizes(kLoop, functions);
  REQUIRE(sizes.tensors.called_loops().size() == 1);
  CHECK(sizes.tensors.called_loops()[0] == LoopCount{"loop", 40, RoundsSource::kBounds, {}});
  CHECK(sizes.list() == 40 * 256);  // floats of [4,16]
}

TEST_CASE("maximum_iterations bounds a While op whose other condition is unknown") {
  const FunctionLibrary functions = library(R"(
    axes = Const() +value=i32[2]{0,1}
    sum = Sum(x, axes)
    goes_on = Greater(sum, sum)
    allowed = Less(i, limit) +T=i32
    c = LogicalAnd(allowed, goes_on)
  )");
  CHECK(Sizes(kLoop, functions).list() == 40 * 256);
  const FunctionLibrary open = library(R"(
    axes = Const() +value=i32[2]{0,1}
    sum = Sum(x, axes)
    c = Greater(sum, sum)
  )");
  CHECK(Sizes(kLoop, open).tensors.called_loops()[0].source == RoundsSource::kUnknown);
}

TEST_CASE("a While op whose condition says nothing keeps what rounds say that are given") {
  const FunctionLibrary functions = library("c = MadeUp(x)");
  CHECK(Sizes(kLoop, functions).list() < 256);
  TensorOptions options;
  options.rounds = {{"loop", 12}};
  const Sizes sizes(kLoop, functions, options);
  CHECK(sizes.list() == 12 * 256);
  CHECK(sizes.tensors.called_loops()[0].source == RoundsSource::kGiven);
}

TEST_CASE("a traced step says how often a While op ran, whatever its condition and the user say") {
  const FunctionLibrary functions = library("c = Less(i, limit) +T=i32");
  MeasuredSizes measured;
  measured.called_loops = {{"call/loop", 17}};
  TensorOptions options;
  options.measured = &measured;
  options.rounds = {{"loop", 12}};
  const Sizes sizes(kLoop, functions, options);
  CHECK(sizes.list() == 17 * 256);
  CHECK(sizes.tensors.called_loops()[0].source == RoundsSource::kTraced);
}

TEST_CASE("a list to which a loop appends the same value in every round takes no memory") {
  FunctionLibrary functions = library("c = Less(i, limit) +T=i32");
  functions.functions.insert_or_assign("body", function(R"(
    i = _Arg()
    limit = _Arg()
    list = _Arg()
    x = _Arg()
    one = Const() +value=i32[]{1}
    next = AddV2(i, one) +T=i32
    outside = Identity(x)
    put = TensorListPushBack(list, outside)
    r0 = _Retval(next)
    r1 = _Retval(limit)
    r2 = _Retval(put)
    r3 = _Retval(x)
  )"));
  CHECK(Sizes(kLoop, functions).list() < 256);
}

TEST_CASE("a list that a loop filled in a called function counts where the call returns it") {
  const FunctionLibrary functions = library("c = Less(i, limit) +T=i32");
  const Sizes sizes(R"(
    x = Placeholder() +shape=[4,16] +dtype=f32
    limit = Const() +value=i32[]{40}
    call = PartitionedCall(x, limit) +f=&train
    n = Identity(call) +T=i32
    l = Identity(call:1) +T=variant
  )",
                    functions);
  CHECK(sizes.list("call") == 40 * 256);
}

TEST_CASE("the compatible model does not count rounds") {
  const FunctionLibrary functions = library("c = Less(i, limit) +T=i32");
  const io::Document document = test::read_graph(kLoop);
  const auto tensors = TensorTable::build(document.graph, {.functions = &functions});
  REQUIRE(tensors);
  CHECK(tensors->called_loops().empty());
  CHECK(tensors->bytes({test::op(document, "loop"), 2}) < 256);
}

}  // namespace tideline
