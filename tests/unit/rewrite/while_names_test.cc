// Swaps in the body of a function whose ops have "while/" in their names.
#include "core/analysis/while_names.h"

#include <catch2/catch.hpp>

#include "core/io/functions.h"
#include "tests/support/function_text.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

using test::Texts;

io::Document body_of(const std::string& text, const std::string& result) {
  Progress silent;
  const auto file =
      io::read_document("g",
                        own_bytes(test::encode_with_functions(
                            "x = Placeholder() f32[2,4]\n", {{"f", {"a"}, {{"y", result}}, text}})),
                        silent);
  REQUIRE(file);
  auto body = io::open_function(*file, "f");
  INFO((body ? "" : body.error().message));
  REQUIRE(body);
  return *std::move(body);
}

const std::string kStep = R"(
  while/f = LRN(a) f32[2,4]
  while/a1 = Softmax(while/f:output:0) f32[2,4]
  while/a2 = Softmax(while/a1:softmax:0) f32[2,4]
  while/a3 = Softmax(while/a2:softmax:0) f32[2,4]
  while/c = Mul(while/a3:softmax:0, while/f:output:0) f32[2,4]
)";

}  // namespace

TEST_CASE("in the body of a function a step with while in its names is swapped") {
  const io::Document body = body_of(kStep, "while/c:z:0");
  CHECK_FALSE(WhileNames(body.graph).in_loop(test::op(body, "while/f")));
  CHECK(test::swaps(body, test::parameters(2, 1, 0)) == Texts{"while/f:0 -> while/c"});
  CHECK(test::edges(body, test::parameters(2, 1, 0)) == Texts{"in_while_f_0 after while/a2"});
}

TEST_CASE(
    "outside of bodies, and beside a loop of version 1, the name counts as in the reference") {
  const io::Document top = test::read_graph(R"(
    while/f = LRN() f32[2,4]
    while/a1 = Softmax(while/f) f32[2,4]
    while/a2 = Softmax(while/a1) f32[2,4]
    while/c = Mul(while/a2, while/f) f32[2,4]
  )");
  CHECK(WhileNames(top.graph).in_loop(test::op(top, "while/f")));
  CHECK(test::swaps(top, test::parameters(1, 1, 0)).empty());
  const io::Document body =
      body_of(kStep + "while/next = NextIteration(while/c:z:0) f32[2,4]\n", "while/c:z:0");
  CHECK(WhileNames(body.graph).in_loop(test::op(body, "while/f")));
  CHECK(test::swaps(body, test::parameters(2, 1, 0)).empty());
}

TEST_CASE(
    "where lists of loops are swapped, names say nothing in graphs without loops of version 1") {
  constexpr std::string_view kTop = R"(
    while/f = LRN() f32[2,4]
    while/a1 = Softmax(while/f) f32[2,4]
    while/a2 = Softmax(while/a1) f32[2,4]
    while/c = Mul(while/a2, while/f) f32[2,4]
  )";
  Lms2Options options = test::parameters(1, 1, 0);
  options.swap_lists = true;
  CHECK(test::swaps(test::read_graph(kTop), options) == Texts{"while/f:0 -> while/c"});
}

}  // namespace tideline
