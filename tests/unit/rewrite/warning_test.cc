#include "core/rewrite/warning.h"

#include <catch2/catch.hpp>

#include "core/rewrite/policy.h"
#include "tests/support/graph_data.h"
#include "tests/support/lms_plans.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {

TEST_CASE("a message names parameters as its reader writes them") {
  const std::string_view text = "give {swapout-threshold} or {batch-size}";
  CHECK(with_parameter_names(text, Naming::kOption) == "give --swapout-threshold or --batch-size");
  CHECK(with_parameter_names(text, Naming::kField) == "give 'swapout-threshold' or 'batch-size'");
}

TEST_CASE("braces in a name or a path stay as they are") {
  for (const std::string_view text : {"a{b}c", "{", "}{", "{batch-size", "{}", "{Batch-size}"}) {
    CHECK(with_parameter_names(text, Naming::kOption) == text);
  }
  for (const std::string_view path : {"/tmp/{model}/x.pb: cannot open", "{run}.pb: cannot open",
                                      "{x{fetch}}", "a {tag}b", "graph-{force}: exists"}) {
    CHECK(with_parameter_names(path, Naming::kOption) == path);
  }
}

TEST_CASE("an error of a rewriter names its parameters as each user interface writes them") {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "sync-mode", std::int64_t{4});
  for (const char* given : {"swapout-threshold", "swapin-ahead", "swapin-groupby"}) {
    set_value(policy, given, std::int64_t{1});
  }
  const Status refused = validate(policy);
  REQUIRE(!refused);
  const std::string& message = refused.error().message;
  CHECK(with_parameter_names(message, Naming::kOption).starts_with("--sync-mode is 4;"));
  CHECK(with_parameter_names(message, Naming::kField).starts_with("'sync-mode' is 4;"));
}

TEST_CASE("edges from ops that a conditional may skip are one warning with its remedy") {
  const io::Document document = test::open_graph(test::graph_file("cond.meta"));
  Lms2Options options = test::parameters(1, 1, 1);
  options.batch_size = 64;
  const LmsPlan plan = test::plan_of(document, options);
  REQUIRE_FALSE(plan.risky.empty());
  const RewritePlan made = finished(document.graph, plan);
  REQUIRE(made.warnings.size() == 1);
  const Warning& warning = made.warnings.front();
  CHECK(warning.kind == "conditional");
  CHECK(warning.count == static_cast<std::int64_t>(plan.risky.size()));
  CHECK(warning.remedy == "guard-conditionals");
  CHECK(warning.places.size() == std::min(plan.risky.size(), kMostWarningPlaces));
  options.guard_conditionals = true;
  CHECK(finished(document.graph, test::plan_of(document, options)).warnings.empty());
}

TEST_CASE("a plan that raises the peak says so beside its own warnings") {
  RewritePlan plan;
  plan.warnings = warnings_of("note", {"one"});
  CHECK(plan.warnings_at(100, 100, {}).size() == 1);
  const std::vector<Warning> all = plan.warnings_at(100, 101, {});
  REQUIRE(all.size() == 2);
  CHECK(all[1].kind == "peak");
  CHECK(all[1].text.starts_with("the plan raises the peak of device memory from 100 B to 101 B"));
}

}  // namespace tideline
