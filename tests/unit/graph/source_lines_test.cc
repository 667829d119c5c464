#include "core/graph/source_lines.h"

#include <catch2/catch.hpp>

#include "core/graph/graph_edit.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

SourceLines two_lines() {
  return {{{"/home/ann/net/model.py", 14, "step"},
           {"/home/ann/unused.py", 1, ""},
           {"/home/ann/net/model.py", 9, "<module>"}},
          {0, SourceLines::kNone, 2, 0, 77}};
}

bool is_at(std::string_view pattern) {
  const auto parsed = LinePattern::parse(pattern);
  REQUIRE(parsed);
  return parsed->matches({"/home/ann/net/model.py", 14, "step"});
}

}  // namespace

TEST_CASE("files of TensorFlow, Keras and what stands between them and a program are a library's",
          "[graph]") {
  for (const char* path :
       {"/usr/lib/python3/dist-packages/tensorflow/python/framework/ops.py",
        "/env/lib/python3.11/site-packages/keras/src/layers/core/dense.py",
        "/env/lib/python3.11/site-packages/tf_keras/src/engine/training.py",
        "/env/lib/python3.11/site-packages/wrapt/wrappers.py",
        "/env/lib/python3.11/site-packages/tideline/lms/_eager.py",
        "C:\\Python\\Lib\\site-packages\\tensorflow\\python\\ops.py",
        "tensorflow/python/framework/ops.py", "/opt/keras3/keras/src/trainers/trainer.py",
        "/usr/lib/python3.11/contextlib.py", "<frozen importlib._bootstrap>"}) {
    INFO(path);
    CHECK(is_library_file(path));
  }
  for (const char* path :
       {"/home/ann/model.py", "model.py", "/home/ann/keras/model.py", "<stdin>",
        "/env/lib/python3.11/site-packages/my_models/tensorflow/model.py",
        "/env/lib/python3.11/site-packages/keras_tuner_mine/x.py", "/tmp/ipykernel_7/123.py"}) {
    INFO(path);
    CHECK_FALSE(is_library_file(path));
  }
}

TEST_CASE("lines are found by op, and lines of no op are left out", "[graph]") {
  const SourceLines lines = two_lines();
  CHECK(lines.op_count() == 3);
  REQUIRE(lines.lines().size() == 2);
  CHECK(short_text(*lines.of(OpId{0})) == "model.py:14");
  CHECK(lines.of(OpId{1}) == nullptr);
  CHECK(short_text(*lines.of(OpId{2})) == "model.py:9");
  CHECK(lines.line_index(OpId{3}) == lines.line_index(OpId{0}));
  CHECK(lines.of(OpId{4}) == nullptr);
  CHECK(lines.of(OpId{5}) == nullptr);
  CHECK(lines.of(OpId{}, nullptr) == nullptr);
  CHECK(SourceLines().empty());
}

TEST_CASE("a line is told with the function that it is in", "[graph]") {
  CHECK(line_in_function({"/a/model.py", 14, "step"}) == "model.py:14, in step");
  CHECK(line_in_function({"C:\\a\\model.py", 14, "<module>"}) == "model.py:14");
  CHECK(whole_text({"/a/model.py", 14, "step"}) == "/a/model.py:14, in step");
  CHECK(short_text({"/a/mo\ndel.py", 1, ""}).find('\n') == std::string::npos);
}

TEST_CASE("ops of an edited graph keep their lines by name", "[graph]") {
  const io::Document before = test::read_graph("a = Const()\nb = Relu(a)\n");
  const io::Document after = test::read_graph("new = Const()\nb = Relu(new)\na = Const()\n");
  const SourceLines lines({{"m.py", 1, ""}, {"m.py", 2, ""}}, {0, 1});
  const SourceLines edited = lines.in(after.graph, before.graph);
  CHECK(short_text(*edited.of(test::op(after, "a"))) == "m.py:1");
  CHECK(short_text(*edited.of(test::op(after, "b"))) == "m.py:2");
  CHECK(edited.of(test::op(after, "new")) == nullptr);
}

TEST_CASE("a copy that a plan adds has the line of what it copies", "[graph]") {
  const io::Document graph = test::read_graph("a = Const()\n");
  const SourceLines lines({{"m.py", 1, ""}}, {0});
  GraphPlan plan;
  const std::vector<TensorId> tensor = {{OpId{0}, 0}};
  const OpId out =
      plan.add_op(graph.graph, {.name = "out", .type = "Identity", .device = "", .inputs = tensor});
  const std::vector<TensorId> copy = {{out, 0}};
  const OpId in =
      plan.add_op(graph.graph, {.name = "in", .type = "Identity", .device = "", .inputs = copy});
  CHECK(lines.of(in, &plan) == lines.of(OpId{0}));
  CHECK(lines.of(out, &plan) == lines.of(OpId{0}));
  CHECK(lines.of(OpId{3}, &plan) == nullptr);
  CHECK(lines.of(in, nullptr) == nullptr);
}

TEST_CASE("a place is the end of a path at a folder, with or without a line", "[graph]") {
  for (const char* pattern : {"model.py:14", "model.py", "net/model.py:14",
                              "/home/ann/net/model.py:14", "/home/ann/net/model.py"}) {
    INFO(pattern);
    CHECK(is_at(pattern));
  }
  for (const char* pattern : {"model.py:1", "model.py:4", "odel.py:14", "model.py:140",
                              "other/net/model.py", "MODEL.PY"}) {
    INFO(pattern);
    CHECK_FALSE(is_at(pattern));
  }
}

TEST_CASE("places that cannot be read are refused with what was expected", "[graph]") {
  for (const char* pattern : {"", ":14", "model.py:", "model.py:x", "model.py:0", "model.py:-3"}) {
    INFO(pattern);
    const auto parsed = LinePattern::parse(pattern);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == Code::kInvalidArgument);
    CHECK(parsed.error().message.find("line:model.py:14") != std::string::npos);
  }
}

TEST_CASE("all ops of a place are found, or it is said why there are none", "[graph]") {
  const io::Document graph = test::read_graph("a = Const()\nb = Relu(a)\nc = Relu(b)\n");
  const SourceLines lines({{"m.py", 1, ""}, {"n.py", 2, ""}}, {0, 1, 0});
  const auto found = find_line(graph.graph, lines, "m.py:1");
  REQUIRE(found);
  CHECK(*found == std::vector{test::op(graph, "a"), test::op(graph, "c")});
  const auto nowhere = find_line(graph.graph, lines, "m.py:2");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message ==
        "line:m.py:2: no op was made there; expected a place such as m.py:1");
  const auto unknown = find_line(graph.graph, {}, "m.py:2");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("{debug-info}") != std::string::npos);
}

}  // namespace tideline
