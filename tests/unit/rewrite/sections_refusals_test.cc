// Steps that cannot be cut into sections as asked, each refused with the option, or the op and
// rule.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/sections_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::error_of;
using test::kTwoLayers;
using test::replaced;
using test::try_plan;
using test::two_scopes;
using test::with;

TEST_CASE("A loss that is an output its op does not have is refused, not looked up", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions options = two_scopes();
  options.loss = "b/loss:7";
  CHECK(error_of(net, options) == "--loss: op 'b/loss' (Sum) has no output 7");
  // With sizes the memory of the runs is simulated, too.
  const auto plan = try_plan(net, options, 100);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().code == Code::kNotFound);
}

}  // namespace
}  // namespace tideline
