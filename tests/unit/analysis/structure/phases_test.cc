#include "core/analysis/structure/phases.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// Phase of each op, by name.
std::map<std::string, std::string> phases_of(const std::string& text) {
  const io::Document document = test::read_graph(text);
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  std::map<std::string, std::string> phases;
  for (const OpId op : document.graph.ops()) {
    phases[std::string(document.graph.name(op))] = phase_name(structure->phases.of(op));
  }
  return phases;
}

// y = x w, loss = mean((y - t)^2); no op type of the backward pass tells that it is one.
const std::string kRegression = R"(
  x = Placeholder()
  t = Placeholder()
  zero = Const()
  w = VariableV2()
  init = Assign(w, zero)
  w_read = Identity(w)
  y = MatMul(x, w_read)
  error = Sub(y, t)
  square = Square(error)
  axes = Const()
  loss = Mean(square, axes)
  one = Const()
  dims = Const()
  seed = Fill(dims, one)
  d_mean_shape = Shape(square)
  d_mean = Tile(seed, d_mean_shape)
  two = Const()
  twice = Mul(two, error)
  d_error = Mul(d_mean, twice)
  d_w = MatMul(x, d_error)
)";

}  // namespace

TEST_CASE("a backward pass without gradient op types is found from its optimizer") {
  auto phases = phases_of(kRegression + R"(
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
    train = NoOp(^apply)
    one_step = Const(^train)
    step = VariableV2()
    count = AssignAdd(step, one_step)
  )");
  for (const char* op : {"x", "t", "w", "w_read", "y", "error", "square", "axes", "loss"}) {
    INFO(op);
    CHECK(phases[op] == "forward");
  }
  for (const char* op :
       {"one", "dims", "seed", "d_mean_shape", "d_mean", "two", "twice", "d_error", "d_w"}) {
    INFO(op);
    CHECK(phases[op] == "backward");
  }
  for (const char* op : {"lr", "apply", "train", "one_step", "count"}) {
    INFO(op);
    CHECK(phases[op] == "update");
  }
  CHECK(phases["init"] == "other");
  CHECK(phases["zero"] == "other");
}

TEST_CASE("clipping, averaging and weight decay belong to the update") {
  auto phases = phases_of(kRegression + R"(
    norm = L2Loss(d_w)
    limit = Const()
    scale = RealDiv(limit, norm)
    clipped = Mul(d_w, scale)
    rate = Const()
    decay = Mul(w_read, rate)
    decayed = Add(clipped, decay)
    apply = ApplyGradientDescent(w, rate, decayed)
  )");
  for (const char* op : {"norm", "limit", "scale", "clipped", "rate", "decay", "decayed"}) {
    INFO(op);
    CHECK(phases[op] == "update");
  }
  CHECK(phases["d_w"] == "backward");
  CHECK(phases["w_read"] == "forward");
}

TEST_CASE("a moving average belongs to the pass that computes it, an initial value to none") {
  auto phases = phases_of(kRegression + R"(
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
    mean = VariableV2()
    mean_init = Assign(mean, zero)
    mean_read = Identity(mean)
    rate = Const()
    difference = Sub(mean_read, error)
    scaled = Mul(difference, rate)
    average = AssignSub(mean, scaled)
  )");
  CHECK(phases["average"] == "forward");
  CHECK(phases["scaled"] == "forward");
  CHECK(phases["mean_init"] == "other");
}

TEST_CASE("a step written out in single ops is an update, over its variables too") {
  auto phases = phases_of(kRegression + R"(
    rate = Const()
    m = VariableV2()
    m_read = Identity(m)
    m_error = Sub(d_w, m_read)
    m_step = Mul(m_error, rate)
    m_new = AssignAdd(m, m_step)
    m_after = Identity(m, ^m_new)
    step = Mul(m_after, rate)
    w_new = AssignSub(w, step)
    relu = ReluGrad(d_error, square)
  )");
  for (const char* op : {"m_error", "m_step", "m_new", "m_after", "step", "w_new", "rate", "m"}) {
    INFO(op);
    CHECK(phases[op] == "update");
  }
  CHECK(phases["d_error"] == "backward");
}

TEST_CASE("a graph without gradients is forward but for saving and initial values") {
  auto phases = phases_of(R"(
    x = Placeholder()
    w = VariableV2()
    zero = Const()
    init = Assign(w, zero)
    y = MatMul(x, w)
    p = Softmax(y)
    tag = Const()
    summary = HistogramSummary(tag, p)
    file = Const()
    names = Const()
    save = SaveV2(file, names, names, w)
  )");
  for (const char* op : {"x", "w", "y", "p"}) CHECK(phases[op] == "forward");
  for (const char* op : {"zero", "init", "tag", "summary", "file", "names", "save"}) {
    CHECK(phases[op] == "other");
  }
}

TEST_CASE("a backward pass through a backward pass is backward, the penalty between them is not") {
  auto phases = phases_of(R"(
    x = Placeholder()
    w = VariableV2()
    y = MatMul(x, w)
    e = Elu(y)
    ones = Const()
    dims = Const()
    seed1 = Fill(dims, ones)
    d_y = EluGrad(seed1, e)
    d_x = MatMul(d_y, w)
    penalty = Square(d_x)
    axes = Const()
    loss1 = Mean(penalty, axes)
    loss2 = Mean(e, axes)
    loss = Add(loss1, loss2)
    seed2 = Fill(dims, ones)
    two = Const()
    twice = Mul(two, d_x)
    d_d_x = Mul(seed2, twice)
    d_w_inner = MatMul(d_y, d_d_x)
    d_e = Mul(seed2, axes)
    d_y2 = EluGrad(d_e, e)
    d_w_outer = MatMul(x, d_y2)
    d_w = AddN(d_w_inner, d_w_outer)
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
  )");
  for (const char* op : {"seed1", "d_y", "d_x", "seed2", "d_d_x", "d_w_inner", "d_y2", "d_w"}) {
    INFO(op);
    CHECK(phases[op] == "backward");
  }
  for (const char* op : {"x", "w", "y", "e", "penalty", "loss1", "loss"}) {
    INFO(op);
    CHECK(phases[op] == "forward");
  }
}

TEST_CASE("the fed gradient of a graph without a loss begins the backward pass") {
  auto phases = phases_of(R"(
    x = Placeholder()
    w = VariableV2()
    y = MatMul(x, w)
    r = Relu(y)
    dy = Placeholder()
    d_y = ReluGrad(dy, r)
    d_w = MatMul(x, d_y)
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
  )");
  CHECK(phases["r"] == "forward");
  CHECK(phases["y"] == "forward");
  CHECK(phases["d_y"] == "backward");
  CHECK(phases["d_w"] == "backward");
}

TEST_CASE("ops of unknown types have phases too") {
  CHECK(phases_of("a = Mystery()\n b = Mystery2(a)\n")["b"] == "forward");
}

}  // namespace tideline
