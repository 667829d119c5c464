#include "core/rewrite/lms/tensor_stretches.h"

#include "core/memory/step_edit.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

// Levels 0 to 6; 4 x 16 floats are 256 bytes, 16 x 16 are 1024.
constexpr const char* kChain = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
  d = MadeUp(c) f32[4,16]
  e = MadeUp(d) f32[16,16]
  f = Relu(e) f32[16,16]
  g = MadeUp(f, a) f32[4,16]
)";

struct Stretched {
  io::Document document;
  LmsPlan plan;
  StepGraph original;
  FaithfulStep before, after;
  LevelMap levels;

  explicit Stretched(const char* text, const Lms2Options& options,
                     const std::vector<std::string>& fetches = {})
      : document(test::read_graph(text)),
        plan(test::plan_of(document, options)),
        levels(complete_levels(document.graph)) {
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    auto step =
        build_step_graph(document.graph, *tensors, document.collections, {.fetches = fetches});
    REQUIRE(step);
    original = *std::move(step);
    before = simulate_step(original);
    after = simulate_step(edited(original, document.graph, plan.edit, std::nullopt));
  }
  [[nodiscard]] std::string with_plan(const char* op) const {
    return stretches_text(document.graph,
                          find_stretches(document.graph, levels, original, plan.swaps, after,
                                         {test::op(document, op), 0}));
  }
  [[nodiscard]] std::string without(const char* op) const {
    return stretches_text(document.graph, find_stretches(document.graph, levels, original, {},
                                                         before, {test::op(document, op), 0}));
  }
};

}  // namespace

TEST_CASE("without a plan a tensor lies on the device until its last reader has run") {
  const Stretched made(kChain, test::parameters(3, 1, 0));
  // The peak is where g runs: a, f and g.
  CHECK(made.without("a") == "device 0-6; at the peak: yes");
  CHECK(made.without("b") == "device 1-2; at the peak: no");
}

TEST_CASE("a swapped tensor that is back before the peak is there as copy, and says so") {
  // Ahead 3: back after d, at level 3, long before g reads it at level 6.
  const Stretched made(kChain, test::parameters(3, 3, 0));
  REQUIRE(made.plan.swaps.size() == 1);
  CHECK(made.with_plan("a") == "device 0-1, host 0-3, device 3-6; at the peak: yes, as copy");
}

TEST_CASE("tensors that share a buffer name each other") {
  const Stretched made(kChain, test::parameters(3, 1, 0));
  CHECK(made.without("e") == "device 4-6 (in one buffer with f:0); at the peak: yes");
  CHECK(made.without("f") == "device 4-6 (in one buffer with e:0); at the peak: yes");
}

TEST_CASE("the tensor with which a swapped one shares its buffer is told beside that buffer") {
  const Stretched made(R"(
    e = MadeUp() f32[16,16]
    f = Relu(e) f32[16,16]
    g = MadeUp(f) f32[4,16]
    h = MadeUp(g) f32[4,16]
    i = MadeUp(h, f) f32[4,16]
  )",
                       test::parameters(2, 1, 0));
  CHECK(made.with_plan("f") ==
        "device 0-2 (in one buffer with e:0), host 1-3, device 3-4; at the peak: yes, as copy");
}

TEST_CASE("a swapped tensor whose buffer is handed on says to what, and is not there at the peak") {
  // f is copied out at once; g takes its buffer over and is read where the peak is, at level 4.
  const Stretched made(R"(
    e = MadeUp() f32[16,16]
    f = MadeUp(e) f32[16,16]
    g = Relu(f) f32[16,16]
    h = MadeUp(g) f32[64,16]
    i = MadeUp(h, g) f32[64,16]
    j = MadeUp(i) f32[4,16]
    k = MadeUp(j, f) f32[4,16]
  )",
                       test::parameters(3, 1, 0));
  REQUIRE(made.plan.swaps.size() == 1);
  CHECK(made.with_plan("f").starts_with("device 1-2 (its buffer goes to g:0 at level 2), host 1-"));
  CHECK(made.with_plan("f").ends_with("; at the peak: no"));
  CHECK(made.with_plan("g").ends_with("; at the peak: yes"));
}

TEST_CASE("a view of a swapped tensor lies in the copy that it reads") {
  const Stretched made(R"(
    a = MadeUp() f32[4,16]
    b = MadeUp(a) f32[4,16]
    c = MadeUp(b) f32[4,16]
    d = MadeUp(c) f32[4,16]
    shape = Const() i32[2]{16,4}
    e = Reshape(a, shape, ^d) f32[16,4]
    f = MadeUp(e) f32[4,16]
  )",
                       test::parameters(2, 1, 0));
  REQUIRE(made.plan.swaps.size() == 1);
  CHECK(made.with_plan("e").starts_with("device 3-5 (in one buffer with a copy of a:0); "));
  CHECK(made.with_plan("a").find(", device 3-5; ") != std::string::npos);
}

TEST_CASE("constants and variables are there all the time") {
  const Stretched made(R"(
    v = VariableV2() f32[4,16] +shape=[4,16] +dtype=f32
    r = Identity(v) f32[4,16] +T=f32
    k = Const() f32[4,16]
    a = MadeUp(r, k) f32[4,16]
  )",
                       test::parameters(3, 1, 0));
  const std::string with_v = "device, the whole step (in one buffer with v:0); at the peak: yes";
  CHECK(made.without("r") == with_v);
  CHECK(made.without("v").starts_with("device, the whole step"));
  CHECK(made.without("k") == "device, the whole step; at the peak: yes");
}

TEST_CASE("a tensor whose op does not run takes no memory") {
  const Stretched made(kChain, test::parameters(3, 1, 0), {"c"});
  CHECK(made.without("f") == "none: its op does not run in the step");
}

}  // namespace tideline
