#include "core/rewrite/lms/swap_spans.h"

#include "tests/support/lms_plans.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

// Levels 0 to 5; 4 x 16 floats are 256 bytes.
constexpr const char* kChain = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
  d = MadeUp(c) f32[4,16]
  e = MadeUp(d) f32[4,16]
  f = MadeUp(e, a) f32[4,16]
)";

struct Spans {
  io::Document document = test::read_graph(kChain);
  LmsPlan plan;
  std::vector<SwapSpan> spans;

  explicit Spans(const Lms2Options& options) { set(test::plan_of(document, options)); }
  void set(LmsPlan made) {
    plan = std::move(made);
    const auto tensors = TensorTable::build(document.graph, {});
    REQUIRE(tensors);
    spans = swap_spans(document.graph, complete_levels(document.graph), *tensors,
                       finished(document.graph, plan));
  }
};

}  // namespace

TEST_CASE("a span goes from the producer to the first reader of the copy") {
  const Spans made(test::parameters(2, 1, 0));
  REQUIRE(made.spans.size() == 1);
  const SwapSpan& span = made.spans[0];
  CHECK(made.document.graph.tensor_name(span.tensor) == "a:0");
  CHECK(span.bytes == 256);
  CHECK(span.producer_level == 0);
  CHECK(span.out_level == 1);
  CHECK(span.in_level == 4);  // one after d, its trigger
  CHECK(made.document.graph.name(span.consumer) == "f");
  CHECK(span.consumer_level == 5);
}

TEST_CASE("what waits for nothing may be back as soon as it is out") {
  Spans made(test::parameters(2, 1, 0));
  LmsPlan plan = made.plan;
  plan.edit.control.clear();
  made.set(std::move(plan));
  REQUIRE(made.spans.size() == 1);
  CHECK(made.spans[0].in_level == made.spans[0].out_level);
}

TEST_CASE("a swap-in that nobody reads ends where it begins") {
  Spans made(test::parameters(2, 1, 0));
  LmsPlan plan = made.plan;
  plan.swaps[0].swap_ins[0].consumers.clear();
  made.set(std::move(plan));
  CHECK_FALSE(made.spans[0].consumer.valid());
  CHECK(made.spans[0].consumer_level == made.spans[0].out_level);
}

}  // namespace tideline
