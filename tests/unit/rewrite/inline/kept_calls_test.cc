// Calls that stay, and graphs whose calls are refused.
#include <catch2/catch.hpp>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/rewrite/inline/inline_calls.h"
#include "tests/unit/rewrite/inline/inlined_text.h"

namespace tideline {
namespace {

using test::error_of;
using test::FunctionText;
using test::inlined;
using test::Inlined;
using test::kCall;
using test::layer;
using test::library_of;
using test::names;
using test::read;
using test::reason;
using test::shown;

TEST_CASE("a call stays whose inlining would change what the graph means, and says why") {
  const auto marked = [](const char* key) {
    FunctionText text = layer();
    text.attributes = {{key, AttrValue::of_bool(true)}};
    return text;
  };
  CHECK(reason(inlined(kCall, {marked("_XlaMustCompile")})) == "XLA compiles it (_XlaMustCompile)");
  CHECK(reason(inlined(kCall, {marked("_noinline")})) == "it is marked _noinline");
  FunctionText unmarked = layer();
  unmarked.attributes = {{"_noinline", AttrValue::of_bool(false)}};
  CHECK(inlined(kCall, {unmarked}).made.kept.empty());
  FunctionText several = layer();
  AttrValue name;
  name.kind = AttrValue::Kind::kString;
  name.string = "lstm_1";
  several.attributes = {{"api_implements", name}};
  CHECK_THAT(reason(inlined(kCall, {several})), Catch::Contains("api_implements"));
  const Inlined result = inlined(kCall, {several});
  CHECK(result.made.plan.empty());
  CHECK(result.made.kept.front().op == "call");
  CHECK(result.made.kept.front().function == "layer");

  FunctionText variable = layer();
  variable.body += "v = VarHandleOp() res[] +shape=[4]\n";
  CHECK(reason(inlined(kCall, {variable})) ==
        "op 'v' of its function makes a resource that is named after it");
  variable.body = layer().body + "v = VarHandleOp() res[] +shape=[4] +shared_name='v'\n";
  CHECK(inlined(kCall, {variable}).made.kept.empty());
  CHECK(reason(inlined(kCall, {})) ==
        "the file lacks its function, or has one that cannot be read as a graph");
  FunctionText open = layer();
  open.results = {{"y", "relu:activations:0"}, {"z", "relu:nothing:0"}};
  CHECK_THAT(reason(inlined(kCall, {open})), Catch::Contains("cannot be read as a graph"));
}

TEST_CASE("a call marked itself stays, whatever its function says") {
  const Inlined result = inlined(R"(
      x = Placeholder() f32[4,4]
      call = PartitionedCall(x, x) f32[4,4] +f=&layer +_XlaMustCompile=true
      other = PartitionedCall(x, x) f32[4,4] +f=&layer
  )",
                                 {layer()});
  CHECK(reason(result) == "XLA compiles it (_XlaMustCompile)");
  CHECK(result.made.inlined.size() == 1);
  CHECK(shown(result.graph, "call") == "PartitionedCall(x, x)");
}

TEST_CASE("an attribute that the caller gives keeps the call") {
  FunctionText text = layer();
  // The text form has no placeholders: the value of `k` is replaced in the bytes.
  text.body += "last = Neg(a) f32[4,4] +k='12'\n";
  std::string bytes = test::encode_with_functions(kCall, {text});
  std::string plain;
  io::append_bytes(plain, 2, "12");
  std::string open;
  io::append_bytes(open, 9, "12");
  const std::size_t at = bytes.rfind(plain);
  REQUIRE(at != std::string::npos);
  bytes.replace(at, plain.size(), open);
  Progress silent;
  const auto document = io::read_document("g", own_bytes(std::move(bytes)), silent);
  REQUIRE(document);
  const auto made = inline_calls(document->graph, library_of(*document));
  REQUIRE(made);
  CHECK(made->kept.at(0).reason ==
        "attribute 'k' of op 'last' of its function comes from the caller");
}

TEST_CASE("recursion ends where a function calls itself") {
  const FunctionText even = {"even",
                             {"a"},
                             {{"y", "call:output:0"}},
                             "call = PartitionedCall(a) f32[4] +Tout=(f32) +f=&odd\n"};
  const FunctionText odd = {"odd",
                            {"a"},
                            {{"y", "call:output:0"}},
                            "call = PartitionedCall(a) f32[4] +Tout=(f32) +f=&even\n"};
  const Inlined result = inlined(R"(
      x = Placeholder() f32[4]
      c = PartitionedCall(x) f32[4] +f=&even
  )",
                                 {even, odd});
  CHECK(reason(result) == "its function calls itself");
  CHECK(result.made.kept.front().op == "c/call/call");
  CHECK(shown(result.graph, "c/call/call") == "PartitionedCall(x)");
}

TEST_CASE("calls nested deeper than 20 stay, and bodies that double are refused") {
  const auto chain = [](int depth, bool doubles) {
    std::vector<FunctionText> functions;
    for (int i = 0; i < depth; ++i) {
      const std::string callee = "f" + std::to_string(i + 1);
      FunctionText text = {"f" + std::to_string(i),
                           {"a"},
                           {{"y", "c:output:0"}},
                           "c = PartitionedCall(a) f32[4] +Tout=(f32) +f=&" + callee + "\n"};
      if (doubles) {
        text.body += "d = PartitionedCall(a) f32[4] +Tout=(f32) +f=&" + callee + "\n";
      }
      functions.push_back(std::move(text));
    }
    FunctionText last = {
        "f" + std::to_string(depth), {"a"}, {{"y", "r:activations:0"}}, "r = Relu(a) f32[4]\n"};
    for (int i = 0; i < 500; ++i) last.body += "s" + std::to_string(i) + " = Relu(a) f32[4]\n";
    functions.push_back(std::move(last));
    return functions;
  };
  const std::string graph =
      "x = Placeholder() f32[4]\n"
      "c = PartitionedCall(x) f32[4] +f=&f0\n";
  CHECK(inlined(graph, chain(19, false)).made.kept.empty());
  CHECK(reason(inlined(graph, chain(20, false))) == "calls are nested deeper than 20");
  CHECK_THAT(error_of(graph, chain(19, true)),
             Catch::Contains("inlining its function gives more than 1000000 ops"));
}

TEST_CASE("names that are taken keep a call, and `begin` gets a number") {
  FunctionText text = layer();
  text.body += "begin = Neg(a) f32[4,4]\n";
  const Inlined numbered = inlined(R"(
      x = Placeholder() f32[4,4]
      call = PartitionedCall(x, x, ^x) f32[4,4] +f=&layer
  )",
                                   {text});
  CHECK(shown(numbered.graph, "call/begin") == "Neg(x, ^call/begin_1)");
  CHECK(shown(numbered.graph, "call/begin_1") == "NoOp(^x)");
  CHECK(reason(inlined(kCall + "call/mul = NoOp()\n", {layer()})) ==
        "an op of its function would have the name of another op");
}

TEST_CASE("a call that does not fit its function is refused by name") {
  CHECK(error_of("x = Placeholder() f32[4,4]\n"
                 "call = PartitionedCall(x) f32[4,4] +f=&layer\n",
                 {layer()}) == "op 'call' calls function 'layer' with 1 input; expected 2");
  CHECK(error_of(kCall + "late = Tanh(call:3) f32[4,4]\n", {layer()}) ==
        "result 3 of op 'call' is read; its function gives 1");
}

TEST_CASE("an op type that is declared nowhere is refused by name") {
  FunctionText text = layer();
  text.body += "own = MyOp(a) f32[4]\n";
  CHECK(error_of(kCall, {text}) ==
        "op 'call' calls function 'layer', whose op 'own' is of type MyOp, which is declared "
        "nowhere; expected a type of TensorFlow or one that the file declares");
}

TEST_CASE("a graph with a cycle is refused") {
  const FunctionText same = {"same", {"a"}, {{"y", "a"}}, ""};
  Progress silent;
  const auto document = io::read_document(
      "g",
      own_bytes(test::encode_with_functions("a = same(b) f32[4]\nb = same(a) f32[4]\n", {same})),
      silent, {.cycles = io::Cycles::kAllow});
  REQUIRE(document);
  const auto made = inline_calls(document->graph, library_of(*document));
  REQUIRE_FALSE(made);
  CHECK_THAT(made.error().message, Catch::Contains("cycle"));
}

}  // namespace
}  // namespace tideline
