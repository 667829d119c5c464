#include "core/runtime/training.h"

#include <catch2/catch.hpp>

#include "core/io/wire_codec.h"
#include "core/runtime/seeds.h"
#include "tests/support/graph_text.h"

namespace tideline::runtime {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

const char* const kModel = R"(
x = Placeholder() +dtype=f32 +shape=[?,4]
keep = Placeholder() +dtype=bool +shape=[]
w = VariableV2() +dtype=f32 +shape=[4]
w/Initializer = RandomUniform() +dtype=f32 +seed=0 +seed2=0
w/Assign = Assign(w, w/Initializer)
a = VarHandleOp() +dtype=f32 +shape=[4]
a/Initializer = RandomNormal() +dtype=f32 +seed=5 +seed2=6
a/Assign = AssignVariableOp(a, a/Initializer)
other = VariableV2() +dtype=f32 +shape=[4]
other/init = Assign(other, w)
y = Mul(x, w)
loss = Mean(y, ^keep)
train = NoOp(^loss)
unrelated = Placeholder() +dtype=f32 +shape=[]
)";

TrainingRequest request() {
  TrainingRequest wanted;
  wanted.train = "train";
  wanted.loss = "loss";
  return wanted;
}

Training prepared(const TrainingRequest& wanted, const char* text = kModel) {
  Progress progress;
  const io::Document document = test::read_graph(text);
  auto training = prepare_training(document, wanted, progress);
  if (!training) FAIL(training.error().message);
  return *std::move(training);
}

std::vector<Feed> feeds(const Names& texts) {
  std::vector<Feed> opened;
  for (const std::string& text : texts) opened.push_back(*Feed::open(*parse_feed(text)));
  return opened;
}

std::string mismatch(const Names& texts) {
  const io::Document document = test::read_graph(kModel);
  const auto names = match_feeds(document, request(), feeds(texts));
  REQUIRE_FALSE(names);
  return names.error().message;
}

// The graph that is sent to TensorFlow, read again.
io::Document sent(const Training& training) {
  Progress progress;
  return *io::read_document("sent", own_bytes(training.graph_def), progress);
}

std::pair<std::int64_t, std::int64_t> seeds_of(const io::Document& document, const char* name) {
  const OpId op = test::op(document, name);
  return {(*document.graph.attribute(op, "seed"))->integer,
          (*document.graph.attribute(op, "seed2"))->integer};
}

TEST_CASE("initialisers are the assignments named after their variable, by name",
          "[runtime][training]") {
  CHECK(prepared(request()).initialisers == Names{"a/Assign", "w/Assign"});
}

TEST_CASE("initialisers that are given are the only ones", "[runtime][training]") {
  TrainingRequest wanted = request();
  wanted.inits = {"other/init", "^w/Assign", "a/Assign:0"};
  CHECK(prepared(wanted).initialisers == Names{"other/init", "w/Assign", "a/Assign"});
}

TEST_CASE("a resource variable is read by an op that is added", "[runtime][training]") {
  const Training training = prepared(request());
  REQUIRE(training.variables.size() == 3);
  CHECK(training.variables[0].name == "a");
  CHECK(training.variables[1].name == "other");
  CHECK(training.variables[2].read.op == "w");
  const io::Document document = sent(training);
  const OpId read = test::op(document, training.variables[0].read.op.c_str());
  CHECK(document.graph.type(read) == "ReadVariableOp");
  CHECK(document.graph.name(document.graph.inputs(read)[0].op) == "a");
  CHECK(document.graph.op_count() == test::read_graph(kModel).graph.op_count() + 1);
}

TEST_CASE("without a seed the graph stays as it is", "[runtime][training]") {
  const Training training = prepared(request());
  CHECK(training.graph_def.starts_with(test::encode_graph(kModel)));
  CHECK(training.unseeded == 1);
}

TEST_CASE("a seed goes to every random op, with a number by name", "[runtime][training]") {
  TrainingRequest wanted = request();
  wanted.seed = 42;
  const Training training = prepared(wanted);
  CHECK(training.random_ops == Names{"a/Initializer", "w/Initializer"});
  CHECK(training.unseeded == 0);
  const io::Document document = sent(training);
  CHECK(seeds_of(document, "a/Initializer") == std::pair<std::int64_t, std::int64_t>(42, 1000));
  CHECK(seeds_of(document, "w/Initializer") == std::pair<std::int64_t, std::int64_t>(42, 1001));
}

TEST_CASE("an op whose exporter left out the seeds draws the same numbers with a seed, too",
          "[runtime][training]") {
  constexpr const char* kStripped = R"(
w = VariableV2() +dtype=f32 +shape=[4]
w/Initializer = RandomUniform() +dtype=f32
w/Assign = Assign(w, w/Initializer)
loss = Mean(w)
train = NoOp(^loss)
)";
  CHECK(prepared(request(), kStripped).unseeded == 1);
  TrainingRequest wanted = request();
  wanted.seed = 42;
  const Training training = prepared(wanted, kStripped);
  CHECK(training.random_ops == Names{"w/Initializer"});
  CHECK(training.unseeded == 0);
  CHECK(seeds_of(sent(training), "w/Initializer") ==
        std::pair<std::int64_t, std::int64_t>(42, 1000));
}

TEST_CASE("another graph's numbers stay with the names, and new ops come after them",
          "[runtime][training]") {
  TrainingRequest wanted = request();
  wanted.seed = 42;
  wanted.seed_order = {"b", "w/Initializer"};
  const io::Document document = sent(prepared(wanted));
  CHECK(seeds_of(document, "w/Initializer") == std::pair<std::int64_t, std::int64_t>(42, 1001));
  CHECK(seeds_of(document, "a/Initializer") == std::pair<std::int64_t, std::int64_t>(42, 1002));
}

TEST_CASE("feeds are matched with the tensors that they feed", "[runtime][training]") {
  const io::Document document = test::read_graph(kModel);
  const auto names = match_feeds(document, request(), feeds({"x=float32:8x4", "keep:0=bool:"}));
  REQUIRE(names);
  CHECK((*names)[0].op == "x");
  CHECK((*names)[1].op == "keep");
}

TEST_CASE("a placeholder that the step needs and nobody feeds is named with what it wants",
          "[runtime][training]") {
  const std::string message = mismatch({"keep=bool:"});
  CHECK_THAT(message, Contains("placeholder 'x' expects float32 [?,4]"));
  CHECK_THAT(message, Contains("{feed} x=float32:Nx4"));
  CHECK_THAT(message, !Contains("unrelated"));
  // Behind control edges, too.
  CHECK_THAT(mismatch({"x=float32:8x4"}), Contains("placeholder 'keep' expects bool"));
}

TEST_CASE("what lies behind a fed tensor need not be fed", "[runtime][training]") {
  const io::Document document = test::read_graph(kModel);
  CHECK(match_feeds(document, request(), feeds({"y=float32:8x4", "keep=bool:"})));
}

TEST_CASE("a graph whose variables come from outside cannot be run, and that is said",
          "[runtime][training]") {
  const io::Document document = test::read_graph(R"(
handle = Placeholder() +dtype=res +shape=[]
loss = ReadVariableOp(handle)
train = NoOp(^loss)
)");
  const auto names = match_feeds(document, request(), {});
  REQUIRE_FALSE(names);
  CHECK(names.error().code == Code::kUnsupported);
  CHECK_THAT(names.error().message, Contains("'handle' expects resource"));
}

TEST_CASE("a feed of another type or shape is refused", "[runtime][training]") {
  CHECK_THAT(mismatch({"x=float64:8x4"}), Contains("gives float64 [8,4] per step"));
  CHECK_THAT(mismatch({"x=float32:8x5"}), Contains("expects float32 [?,4]"));
  CHECK_THAT(mismatch({"x=float32:4"}), Contains("gives float32 [4]"));
  CHECK_THAT(mismatch({"x=float32:8x4", "x:0=float32:8x4"}), Contains("fed twice"));
  CHECK_THAT(mismatch({"nobody=float32:4"}), Contains("no op 'nobody'"));
}

TEST_CASE("ops that are not there are named", "[runtime][training]") {
  Progress progress;
  const io::Document document = test::read_graph(kModel);
  for (const char* part : {"train", "loss", "init"}) {
    TrainingRequest wanted = request();
    if (part == std::string("train")) wanted.train = "nobody";
    if (part == std::string("loss")) wanted.loss = "nobody";
    if (part == std::string("init")) wanted.inits = {"nobody"};
    const auto training = prepare_training(document, wanted, progress);
    REQUIRE_FALSE(training);
    CHECK(training.error().code == Code::kNotFound);
    CHECK_THAT(training.error().message, Contains("{" + std::string(part) + "}"));
  }
}

TEST_CASE("a cycle that names what the graph does not have is refused", "[runtime][training]") {
  Progress progress;
  const io::Document document = test::read_graph(kModel);
  Cycle cycle;
  cycle.runs = {{"forward", "", {}, {{"y:0", "y:0"}}},
                {"section 0", "train", {{"unrelated", "y:0"}}, {{"w:0", "w:0"}}}};
  TrainingRequest wanted = request();
  const auto refusal = [&](const auto& change) {
    wanted.cycle = cycle;
    change(*wanted.cycle);
    const auto training = prepare_training(document, wanted, progress);
    return training ? std::string() : training.error().message;
  };
  CHECK(refusal([](Cycle&) {}).empty());
  CHECK_THAT(refusal([](Cycle& made) { made.runs[1].target = "gone"; }),
             Contains("the plan runs 'gone', which the graph does not have"));
  CHECK_THAT(refusal([](Cycle& made) { made.runs[1].feeds[0].first = "gone_feed"; }),
             Contains("the plan runs 'gone_feed'"));
  CHECK_THAT(refusal([](Cycle& made) { made.runs[0].keeps[0].first = "gone:0"; }),
             Contains("the plan runs 'gone:0'"));
}

}  // namespace
}  // namespace tideline::runtime
