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
#include "tests/unit/rewrite/inline/inlined_text.h"

namespace tideline {
namespace {

using test::FunctionText;
using test::inlined;
using test::Inlined;
using test::kCall;
using test::layer;
using test::library_of;
using test::names;
using test::read;
using test::shown;

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
