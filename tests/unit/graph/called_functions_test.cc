#include "core/graph/called_functions.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

FunctionLibrary library_of(std::initializer_list<const char*> names) {
  FunctionLibrary library;
  for (const char* name : names) library.functions[name];
  return library;
}

}  // namespace

TEST_CASE("an op calls what its type or its attributes name, if the library has it") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    if = If(x, x) +then_branch=&yes +else_branch=&no +other=&gone
    same = If(x, x) +then_branch=&yes +else_branch=&yes
    typed = yes(x)
    text = MadeUp(x) +f='yes'
  )");
  const FunctionLibrary library = library_of({"yes", "no"});
  const auto called = [&](const char* op) {
    return called_functions(document.graph, test::op(document, op), library);
  };
  using Called = std::vector<CalledFunction>;
  CHECK(called("if") == Called{{"then_branch", "yes"}, {"else_branch", "no"}});
  CHECK(called("same") == Called{{"then_branch", "yes"}});
  CHECK(called("typed") == Called{{"", "yes"}});
  CHECK(called("text").empty());
  CHECK(called("x").empty());
  CHECK(called_functions(document.graph, test::op(document, "if"), {}).empty());
}

}  // namespace tideline
