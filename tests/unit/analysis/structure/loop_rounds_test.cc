#include "core/analysis/structure/loop_rounds.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

Result<std::vector<LoopCount>> counted(const std::string& text, TensorOptions options = {}) {
  const io::Document document = test::read_graph(text);
  options.model = SizeModel::kFaithful;
  const auto tensors = TensorTable::build(document.graph, options);
  REQUIRE(tensors);
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  return count_loops(document.graph, structure->facts, structure->loops, *tensors);
}

// A loop whose counter starts at `start` and changes by `step`; `more` may add ops.
std::string loop(const std::string& condition, int start = 0, const std::string& change = "Add",
                 int step = 1, const std::string& more = "") {
  return fmt::format(R"(
    start = Const() +value=i32[]{{{1}}} +dtype=i32
    bound = Const() +value=i32[]{{40}} +dtype=i32
    e = Enter(start) +frame_name="rnn/while/while_context"
    limit = Enter(bound) +frame_name="rnn/while/while_context" +is_constant=true
    m = Merge(e, n)
    {0}
    cond = LoopCond(c)
    s = Switch(m, cond)
    i = Identity(s:1)
    by = Const(^i) +value=i32[]{{{3}}} +dtype=i32
    next = {2}(i, by)
    n = NextIteration(next)
    out = Exit(s)
    {4}
  )",
                     condition, start, change, step, more);
}

LoopCount only(const std::string& text, TensorOptions options = {}) {
  const auto loops = counted(text, std::move(options));
  REQUIRE(loops);
  REQUIRE(loops->size() == 1);
  return loops->front();
}

}  // namespace

TEST_CASE("a loop that counts to a constant runs as often as TensorFlow runs it") {
  CHECK(only(loop("c = Less(m, limit)")).rounds == 40);
  CHECK(only(loop("c = Less(m, limit)")).source == RoundsSource::kBounds);
  CHECK(only(loop("c = LessEqual(m, limit)")).rounds == 41);
  CHECK(only(loop("c = Greater(limit, m)", 5)).rounds == 35);
  CHECK(only(loop("c = Less(m, limit)", 0, "AddV2", 3)).rounds == 14);        // 0, 3 ... 39
  CHECK(only(loop("c = GreaterEqual(m, limit)", 50, "Sub", 2)).rounds == 6);  // 50 ... 40
  CHECK(only(loop("c = Less(m, limit)", 90)).rounds == 0);
}

TEST_CASE("of two conditions the one that fails first counts, even if it is the only known one") {
  const std::string made_up = "u = MadeUp(m)\nc = LogicalAnd(c1, u)\n";
  CHECK(only(loop("c1 = Less(m, limit)\n" + made_up)).rounds == 40);
  CHECK(only(loop("ten = Const(^m) +value=i32[]{10} +dtype=i32\nc1 = Less(m, limit)\n"
                  "c2 = Less(m, ten)\nc = LogicalAnd(c1, c2)\n"))
            .rounds == 10);
}

TEST_CASE("a loop is counted once where nothing says how often it runs") {
  const auto is_unknown = [](const std::string& text) {
    const LoopCount found = only(text);
    return found.source == RoundsSource::kUnknown && found.rounds == 1;
  };
  CHECK(is_unknown(loop("c = MadeUp(m)")));
  CHECK(is_unknown(loop("c = Less(m, limit)", 0, "Mul", 2)));
  CHECK(is_unknown(loop("c = Less(m, limit)", 0, "Sub", 1)));  // never ends
  CHECK(is_unknown(loop("c = Less(m, m)")));
}

TEST_CASE("given rounds win over the condition, and a traced step over both") {
  TensorOptions options;
  options.rounds = {{"rnn/while", 7}};
  CHECK(only(loop("c = Less(m, limit)"), options).rounds == 7);
  CHECK(only(loop("c = Less(m, limit)"), options).source == RoundsSource::kGiven);
  const io::Document document = test::read_graph(loop("c = Less(m, limit)"));
  MeasuredSizes measured;
  measured.runs.assign(document.graph.op_count(), 1);
  measured.runs[test::op(document, "n").index()] = 12;
  options.measured = &measured;
  CHECK(only(loop("c = Less(m, limit)"), options).rounds == 12);
  CHECK(only(loop("c = Less(m, limit)"), options).source == RoundsSource::kTraced);
}

TEST_CASE("rounds of a loop that does not exist are an error that lists the loops") {
  TensorOptions options;
  options.rounds = {{"rnn", 7}};
  const auto refused = counted(loop("c = Less(m, limit)"), options);
  REQUIRE(!refused);
  CHECK(refused.error().code == Code::kNotFound);
  CHECK(refused.error().message ==
        "{rounds} rnn: there is no such loop; expected one of rnn/while/while_context");
  const auto none = counted("x = Placeholder()", options);
  REQUIRE(!none);
  CHECK(none.error().message == "{rounds} rnn: there is no such loop; the graph has no loops");
}

TEST_CASE("a backward loop runs as often as the loop that it counts down from") {
  const auto loops = counted(loop("c = Less(m, limit)", 0, "Add", 1, R"(
    count = Identity(out)
    one = Const() +value=i32[]{1} +dtype=i32
    be = Enter(count) +frame_name="back"
    bl = Enter(one) +frame_name="back" +is_constant=true
    bm = Merge(be, bn)
    bc = GreaterEqual(bm, bl)
    bcond = LoopCond(bc)
    bs = Switch(bm, bcond)
    bnext = Sub(bs:1, bl)
    bn = NextIteration(bnext)
    bout = Exit(bs)
  )"));
  REQUIRE(loops);
  REQUIRE(loops->size() == 2);
  CHECK((*loops)[1].rounds == 40);
  CHECK((*loops)[1].follows == "rnn/while/while_context");
}

}  // namespace tideline
