// The runs of a cycle as plan files say them, and what is wrong with others.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/rewrite/plan/plan_json.h"
#include "core/rewrite/plan/plan_json_reader.h"
#include "core/rewrite/sections/report_json.h"
#include "core/rewrite/sections/rewriter.h"
#include "tests/unit/rewrite/sections_text.h"

namespace tideline {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// A plan of sections with these members.
std::string plan_of(const std::string& members, const std::string& added = "[]") {
  return fmt::format(R"({{"schema": "tideline.plan/1", "kind": "sections", "added": {}, {}}})",
                     added, members);
}
std::string with_phase(const std::string& members) {
  return plan_of(R"("forward_cache": ["a:0"], "phases": [{"section": 0, "train_op": "t", )" +
                 members + "}]");
}

Result<std::optional<Cycle>> read(const std::string& json) {
  TIDELINE_TRY(const PlanFile file, PlanFile::parse("p.json", json));
  return file.cycle();
}
std::string refusal(const std::string& json) {
  const auto cycle = read(json);
  REQUIRE_FALSE(cycle);
  return cycle.error().message;
}

TEST_CASE("A plan says what each run is fed and keeps", "[cycle_json]") {
  const auto read_cycle = read(plan_of(
      R"("forward_cache": ["a:0"],
         "phases": [{"section": 1, "train_op": "phase_1/train", "feeds": {"phase_1/feed_0": "a:0"},
                     "cache": {"phase_1/g:0": "g:0"}},
                    {"section": 0, "train_op": "phase_0/train", "feeds": {"phase_0/feed_0": "g:0"},
                     "cache": {}}])",
      R"([{"name": "phase_1/feed_0", "op": "Placeholder"}, {"name": "phase_1/g", "copy_of": "g"}])"));
  REQUIRE(read_cycle);
  REQUIRE(read_cycle->has_value());
  const Cycle& cycle = **read_cycle;
  REQUIRE(cycle.runs.size() == 3);
  CHECK(cycle.runs[0].keeps == Pairs{{"a:0", "a:0"}});
  CHECK(cycle.runs[1].name == "section 1");
  CHECK(cycle.runs[1].target == "phase_1/train");
  CHECK(cycle.runs[1].feeds == Pairs{{"phase_1/feed_0", "a:0"}});
  CHECK(cycle.runs[1].keeps == Pairs{{"phase_1/g:0", "g:0"}});
  CHECK(cycle.runs[2].feeds == Pairs{{"phase_0/feed_0", "g:0"}});
  CHECK(cycle.copies == Pairs{{"g", "phase_1/g"}});
}

TEST_CASE("An added op whose name is a number is refused, not thrown at", "[cycle_json]") {
  const std::string runs = R"("forward_cache": [], "phases": [])";
  CHECK(refusal(plan_of(runs, R"([{"name": "n"}, {"name": 7, "copy_of": "g"}])")) ==
        "p.json: added[1]: 'copy_of' or 'name' is no text; expected names of ops");
  CHECK(refusal(plan_of(runs, R"([{"name": "n", "copy_of": ["g"]}])")) ==
        "p.json: added[0]: 'copy_of' or 'name' is no text; expected names of ops");
  CHECK(refusal(plan_of(runs, "7")) == "p.json: 'added' is no list");
}

TEST_CASE("Runs of the wrong form are refused with their place", "[cycle_json]") {
  CHECK(refusal(plan_of(R"("phases": [])")) == "p.json: 'phases' or 'forward_cache' is no list");
  CHECK(refusal(plan_of(R"("phases": {}, "forward_cache": [])")) ==
        "p.json: 'phases' or 'forward_cache' is no list");
  CHECK(refusal(plan_of(R"("phases": [], "forward_cache": [1])")) ==
        "p.json: forward_cache: expected tensors");
  for (const char* phase :
       {"7", R"({"train_op": "t"})", R"({"section": "0", "train_op": "t"})", R"({"section": 0})"}) {
    INFO(phase);
    CHECK(refusal(plan_of(fmt::format(R"("forward_cache": [], "phases": [{}])", phase))) ==
          "p.json: phases[0]: expected an object with 'section' and 'train_op'");
  }
  CHECK(refusal(with_phase(R"("cache": {})")) ==
        "p.json: phases[0]: 'feeds' is missing; expected an object");
  CHECK(refusal(with_phase(R"("feeds": {})")) ==
        "p.json: phases[0]: 'cache' is missing; expected an object");
  CHECK(refusal(with_phase(R"("feeds": {"p": 7}, "cache": {})")) ==
        "p.json: phases[0]: feeds['p'] is no text; expected a tensor");
}

TEST_CASE("A run that is fed what no earlier one keeps is refused", "[cycle_json]") {
  CHECK(refusal(with_phase(R"("feeds": {"p": "b:0"}, "cache": {"c:0": "b:0"})")) ==
        "p.json: phases[0]: feeds['p']: no earlier run keeps 'b:0'");
}

TEST_CASE("Plans that say no cycle, or two, are not run", "[cycle_json]") {
  const auto none = read(R"({"schema": "tideline.plan/1", "kind": "lms"})");
  REQUIRE(none);
  CHECK_FALSE(none->has_value());
  CHECK(refusal(plan_of(R"("sections": [])")) ==
        "p.json: a plan with the sets of the reference ({compat}) is not run; expected 'phases'");
  const std::string one = plan_of(R"("phases": [], "forward_cache": [])");
  CHECK(refusal(fmt::format(
            R"({{"schema": "tideline.plan/1", "kind": "chain", "plans": [{}, {}]}})", one, one)) ==
        "p.json: has two plans of sections");
  CHECK(refusal(fmt::format(R"({{"schema": "tideline.plan/1", "kind": "chain", "plans": [{}]}})",
                            plan_of(R"("phases": 7)"))) ==
        "p.json: plans[0]: 'phases' or 'forward_cache' is no list");
}

}  // namespace

TEST_CASE("the runs that a report says are those that its plan says as JSON") {
  const io::Document net = test::read_graph(test::kTwoLayers);
  auto made = test::try_plan(net, test::two_scopes());
  REQUIRE(made);
  RewritePlan plan;
  plan.edit = std::move(made->edit);
  plan.report = std::make_shared<SectionsPlanReport>(std::move(made->report));
  const auto said = plan.cycle(net.graph);
  const auto read_back =
      read(plan_json(net.graph, plan, sections::rewriter(), {}, {"tideline", "net.pb", "", ""}));
  REQUIRE(said);
  REQUIRE(read_back);
  REQUIRE(*read_back);
  CHECK(said->loss == (*read_back)->loss);
  CHECK(said->copies == (*read_back)->copies);
  CHECK_FALSE(said->copies.empty());
  REQUIRE(said->runs.size() == (*read_back)->runs.size());
  REQUIRE(said->runs.size() == 3);
  for (std::size_t i = 0; i < said->runs.size(); ++i) {
    CHECK(said->runs[i].name == (*read_back)->runs[i].name);
    CHECK(said->runs[i].target == (*read_back)->runs[i].target);
    CHECK(said->runs[i].feeds == (*read_back)->runs[i].feeds);
    CHECK(said->runs[i].keeps == (*read_back)->runs[i].keeps);
  }
}
}  // namespace tideline
