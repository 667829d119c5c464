#include "core/rewrite/inline/inline_calls.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/analysis/levels.h"
#include "core/graph/graph_edit.h"
#include "core/io/declared.h"
#include "core/io/functions.h"
#include "core/io/write_document.h"
#include "core/rewrite/inline/inlining_json.h"
#include "core/rewrite/plan/plan_json_reader.h"
#include "tests/support/function_text.h"

namespace tideline {
namespace {

using test::FunctionText;

struct Inlined {
  io::Document document;
  FunctionLibrary library;
  Inlining made;
  Graph graph;
};

io::Document read(const std::string& graph, const std::vector<FunctionText>& functions) {
  Progress silent;
  auto document =
      io::read_document("g", own_bytes(test::encode_with_functions(graph, functions)), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

FunctionLibrary library_of(const io::Document& document) {
  Diagnostics diagnostics;
  return io::read_functions(document, diagnostics);
}

Inlined inlined(const std::string& graph, const std::vector<FunctionText>& functions) {
  Inlined result{read(graph, functions), {}, {}, {}};
  result.library = library_of(result.document);
  auto made = inline_calls(result.document.graph, result.library);
  INFO((made ? "" : made.error().message));
  REQUIRE(made);
  result.made = *std::move(made);
  auto changed = apply(result.document.graph, result.made.plan,
                       io::declared_signatures(result.document).get());
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed);
  result.graph = *std::move(changed);
  return result;
}

std::string error_of(const std::string& graph, const std::vector<FunctionText>& functions) {
  const io::Document document = read(graph, functions);
  const FunctionLibrary library = library_of(document);
  const auto made = inline_calls(document.graph, library);
  return made ? "" : made.error().message;
}

// "MatMul(x, w:1, ^begin) @/gpu:0"
std::string shown(const Graph& graph, std::string_view name) {
  const OpId op = test::op(graph, name);
  std::string text = std::string(graph.type(op)) + "(";
  const auto texts = graph.codec().input_texts(graph.encoded(op));
  for (std::size_t i = 0; i < texts.size(); ++i) text += (i == 0 ? "" : ", ") + texts[i];
  text += ")";
  if (!graph.device(op).empty()) text += " @" + std::string(graph.device(op));
  return text;
}

std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> list;
  for (const OpId op : graph.ops()) list.emplace_back(graph.name(op));
  return list;
}

FunctionText layer(const std::string& name = "layer") {
  return {name,
          {"a", "w"},
          {{"y", "relu:activations:0"}},
          "mul = MatMul(a, w) f32[4,4]\n"
          "relu = Relu(mul:product:0) f32[4,4]\n"};
}

const std::string kCall = R"(
    x = Placeholder() f32[4,4]
    w = Const() f32[4,4]
    call = PartitionedCall(x, w) f32[4,4] +f=&layer
    out = Tanh(call) f32[4,4]
)";

std::string reason(const Inlined& result) {
  REQUIRE(result.made.kept.size() == 1);
  return result.made.kept.front().reason;
}

TEST_CASE("a call becomes the ops of its function, and its name a NoOp that waits for them") {
  const Inlined result = inlined(kCall, {layer()});
  CHECK(names(result.graph) ==
        std::vector<std::string>{"x", "w", "call", "out", "call/mul", "call/relu"});
  CHECK(shown(result.graph, "call/mul") == "MatMul(x, w)");
  CHECK(shown(result.graph, "call/relu") == "Relu(call/mul)");
  CHECK(shown(result.graph, "call") == "NoOp(^call/relu)");
  CHECK(shown(result.graph, "out") == "Tanh(call/relu)");
  CHECK(result.made.inlined.size() == 1);
  CHECK(result.made.ops() == 2);
  CHECK(result.made.kept.empty());
  // The attributes of the call are gone.
  CHECK_FALSE(result.graph.attribute(test::op(result.graph, "call"), "f").value().has_value());
  CHECK(inlining_lines(result.made).front() == "1 call inlined, 2 ops; 0 stay a call");
}

TEST_CASE("what a call waits for, the sources of its body and the calls in it wait for") {
  const FunctionText inner = {"inner",
                              {"b"},
                              {{"y", "neg:y:0"}},
                              "neg = Neg(b) f32[4,4]\n"
                              "one = Const() f32[4,4]\n"};
  const FunctionText outer = {"outer",
                              {"a"},
                              {{"y", "call:output:0"}},
                              "one = Const() f32[4,4]\n"
                              "add = Add(a, one:output:0) f32[4,4]\n"
                              "call = PartitionedCall(add:z:0) f32[4,4] +Tout=(f32) +f=&inner\n"
                              "if = If(add:z:0, one:output:0) f32[4,4] +Tout=(f32)\n"};
  const Inlined result = inlined(R"(
      x = Placeholder() f32[4,4]
      before = NoOp()
      c = StatefulPartitionedCall(x, ^before) f32[4,4] +f=&outer
      out = Tanh(c) f32[4,4]
      after = NoOp(^c)
  )",
                                 {inner, outer});
  CHECK(shown(result.graph, "c/begin") == "NoOp(^before)");
  CHECK(shown(result.graph, "c/one") == "Const(^c/begin)");
  CHECK(shown(result.graph, "c/add") == "Add(x, c/one)");
  CHECK(shown(result.graph, "c/if") == "If(c/add, c/one, ^c/begin)");
  CHECK(shown(result.graph, "c/call/begin") == "NoOp(^c/begin)");
  CHECK(shown(result.graph, "c/call/one") == "Const(^c/call/begin)");
  CHECK(shown(result.graph, "c/call/neg") == "Neg(c/add, ^c/call/begin)");
  CHECK(shown(result.graph, "c/call") == "NoOp(^c/call/neg, ^c/call/begin)");
  CHECK(shown(result.graph, "c") == "NoOp(^c/call, ^c/begin)");
  CHECK(shown(result.graph, "out") == "Tanh(c/call/neg)");
  CHECK(shown(result.graph, "after") == "NoOp(^c)");
}

TEST_CASE("a call ends when what its function waits for has ended, though nothing reads it") {
  const FunctionText update = {"update", {"a"}, {}, "print = Neg(a) f32[4]\n", {"print"}};
  const Inlined result = inlined(R"(
      x = Placeholder() f32[4]
      call = StatefulPartitionedCall(x) +f=&update
      done = NoOp(^call)
  )",
                                 {update});
  CHECK(shown(result.graph, "call") == "NoOp(^call/print)");
}

TEST_CASE("an argument that is a result goes through, and who waits for it waits for its tensor") {
  const FunctionText swap = {"swap", {"a", "b"}, {{"x", "b"}, {"y", "a"}}, "late = NoOp(^a)\n"};
  const Inlined result = inlined(R"(
      p = Placeholder() f32[4]
      s = Split(p) f32[2] f32[2]
      one = swap(s:1, p) f32[4] f32[2]
      two = swap(one, one:1) f32[2] f32[4]
      out = Add(two, two:1) f32[4]
  )",
                                 {swap});
  CHECK(shown(result.graph, "out") == "Add(s:1, p)");
  CHECK(shown(result.graph, "one/late") == "NoOp(^s)");
  CHECK(shown(result.graph, "two/late") == "NoOp(^p)");
  CHECK(shown(result.graph, "two") == "NoOp(^s, ^p)");
}

TEST_CASE("an op of a body has its own device, and what this does not say from the call") {
  const FunctionText placed = {"placed",
                               {"a"},
                               {{"y", "own:y:0"}},
                               "own = Neg(a) f32[4] @/device:CPU:0\n"
                               "none = Neg(a) f32[4]\n"
                               "job = Neg(a) f32[4] @/job:ps/task:2\n"};
  const Inlined result = inlined(
      "x = Placeholder() f32[4]\n"
      "call = PartitionedCall(x) f32[4] +f=&placed @/job:worker/replica:0/task:1/device:GPU:0\n",
      {placed});
  const auto device = [&](const char* name) {
    return std::string(result.graph.device(test::op(result.graph, name)));
  };
  CHECK(device("call/own") == "/job:worker/replica:0/task:1/device:CPU:0");
  CHECK(device("call/none") == "/job:worker/replica:0/task:1/device:GPU:0");
  CHECK(device("call/job") == "/job:ps/replica:0/task:2");
  CHECK(device("call") == "/job:worker/replica:0/task:1/device:GPU:0");
}

TEST_CASE("colocations and frames of a body have the names of its ops") {
  const FunctionText body = {"body",
                             {"a"},
                             {{"y", "near:y:0"}},
                             "first = Neg(a) f32[4]\n"
                             "near = Neg(first:y:0) f32[4] +_class=('loc:@first','loc:@a')\n"
                             "enter = Enter(a) f32[4] +frame_name='loop'\n"};
  const Inlined result = inlined(R"(
      x = Placeholder() f32[4]
      call = PartitionedCall(x) f32[4] +f=&body
  )",
                                 {body});
  const auto near = result.graph.attribute(test::op(result.graph, "call/near"), "_class");
  CHECK((*near)->strings == std::vector<std::string>{"loc:@call/first", "loc:@x"});
  const auto frame = result.graph.attribute(test::op(result.graph, "call/enter"), "frame_name");
  CHECK((*frame)->string == "call/loop");
}

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
  std::string placeholder;
  io::append_bytes(placeholder, 9, "T");
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

TEST_CASE("a native call that stays in a body keeps its type and its results") {
  FunctionText kept = layer("kept");
  kept.attributes = {{"_noinline", AttrValue::of_bool(true)}};
  const FunctionText outer = {"outer", {"a"}, {{"y", "c:y:0"}}, "c = kept(a, a) f32[4,4]\n"};
  const Inlined result = inlined(R"(
      x = Placeholder() f32[4,4]
      call = PartitionedCall(x) f32[4,4] +f=&outer
  )",
                                 {kept, outer});
  CHECK(shown(result.graph, "call/c") == "kept(x, x)");
  CHECK(result.graph.signature(test::op(result.graph, "call/c")) != nullptr);
}

TEST_CASE("calls in the body of a function that was opened are inlined, and the file is written") {
  const FunctionText outer = {
      "outer",
      {"a"},
      {{"y", "c:output:0"}},
      "c = PartitionedCall(a, a) f32[4,4] +Tin=(f32,f32) +Tout=(f32) +f=&layer\n"};
  const io::Document file = read("x = Placeholder() f32[4,4]\n", {layer(), outer});
  const auto body = io::open_function(file, "outer");
  REQUIRE(body);
  const auto made = inline_calls(body->graph, library_of(*body));
  REQUIRE(made);
  const auto changed = apply(body->graph, made->plan);
  REQUIRE(changed);
  std::string written;
  Progress silent;
  REQUIRE(
      io::write_document(*body, *changed, {io::Format::kGraph}, io::append_to(written), silent));
  const auto again = io::read_document("g", own_bytes(std::move(written)), silent);
  REQUIRE(again);
  const auto opened = io::open_function(*again, "outer");
  REQUIRE(opened);
  CHECK(shown(opened->graph, "c/relu") == "Relu(c/mul:product:0)");
  const OpId result = test::op(opened->graph, "y_RetVal");
  CHECK(opened->graph.name(opened->graph.inputs(result).front().op) == "c/relu");
}

TEST_CASE("the plan of an inlining is written as JSON and read back") {
  const Inlined result = inlined(kCall + "after = NoOp(^call)\n", {layer()});
  const std::string text =
      inlining_plan_json(result.document.graph, result.made, {"t", "g", "digest", ""});
  const auto file = PlanFile::parse("plan.json", text);
  REQUIRE(file);
  CHECK(file->kind() == "inline");
  const auto plan = file->read(0, result.document.graph);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  const auto changed = apply(result.document.graph, *plan);
  REQUIRE(changed);
  REQUIRE(names(*changed) == names(result.graph));
  for (const OpId op : changed->ops()) CHECK(changed->encoded(op) == result.graph.encoded(op));
}

}  // namespace
}  // namespace tideline
