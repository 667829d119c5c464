#include "core/graph/verify.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

Status verify(std::string_view text) {
  Progress silent;
  const auto document =
      io::read_document("g", own_bytes(test::encode_graph(text)), silent, {io::Cycles::kAllow, {}});
  REQUIRE(document);
  return verify_acyclic(document->graph);
}

}  // namespace

TEST_CASE("cycles over data and control edges are errors that walk along them") {
  const Status data = verify("a = Add(c)\n b = Relu(a)\n c = Relu(b)\n d = Relu(c)\n");
  REQUIRE_FALSE(data);
  CHECK(data.error().message.find("'b' -> 'c' -> 'a' -> 'b'") != std::string::npos);
  CHECK_FALSE(verify("a = NoOp(^b)\n b = NoOp(^a)\n"));
  CHECK_FALSE(verify("a = Relu(a)\n"));
}

TEST_CASE("an order of the file that is not topological is no cycle") {
  CHECK(verify("c = Add(a, b)\n b = Relu(a)\n a = Const()\n"));
}

TEST_CASE("only an edge from NextIteration to Merge may close a loop") {
  CHECK(verify("e = Enter()\n m = Merge(e, n)\n i = Identity(m)\n n = NextIteration(i)\n"));
  CHECK_FALSE(verify("e = Enter()\n m = Add(e, n)\n i = Identity(m)\n n = NextIteration(i)\n"));
  CHECK_FALSE(verify("e = Enter()\n m = Merge(e, i)\n i = Identity(m)\n"));
}

}  // namespace tideline
