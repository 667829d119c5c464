// Random training steps, cut at random levels: the cycle computes what one step computes. Values
// are symbols: every op computes some function of its type and its inputs, so that two values are
// equal only if they were computed in the same way.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "core/graph/graph_edit.h"
#include "core/graph/verify.h"
#include "core/rewrite/sections/sections.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Value = std::uint64_t;

Value mixed(Value a, Value b) {
  return (a ^ b) * 0x9e3779b97f4a7c15ULL + (a >> 29U);
}

// A step as TensorFlow's optimizers write it: layers that use variables, some of them several
// times, with noise; gradients in reverse; updates, with a momentum or a shared counter.
class RandomTraining {
 public:
  explicit RandomTraining(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    add("x = Placeholder() f32[4] +dtype=f32 +shape=[4]");
    add("dims = Const() i32[1] +dtype=i32 +value=i32[1]{4}");
    for (int i = 1 + below(4); i > 0; --i) add_variable();
    values_ = {"x"};
    for (int i = 4 + below(14); i > 0; --i) add_forward();
    add_loss();
    add_gradients();
    add_updates();
    return text_;
  }

 private:
  struct Op {
    std::string name, type;
    std::vector<std::string> inputs;
  };

  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  bool chance(double share) { return below(1000) < share * 1000; }
  void add(const std::string& line) { text_ += line + "\n"; }

  void add_variable() {
    const std::string name = fmt::format("v{}", variables_.size());
    add(name + " = VariableV2() f32[4] +dtype=f32 +shape=[4]");
    add(fmt::format("{}/read = Identity({}) f32[4] +T=f32", name, name));
    variables_.push_back(name);
  }
  // One of the last few values, or a variable.
  std::string operand() {
    if (chance(0.4))
      return variables_[static_cast<std::size_t>(below(static_cast<int>(variables_.size())))] +
             "/read";
    const int recent = std::min<int>(3, static_cast<int>(values_.size()));
    return values_[values_.size() - 1 - static_cast<std::size_t>(below(recent))];
  }
  void add_forward() {
    const std::string name = fmt::format("f{}", values_.size());
    const int pick = below(8);
    Op op{name, pick < 4 ? "Mul" : pick < 6 ? "Add" : "Tanh", {values_.back()}};
    if (op.type != "Tanh") op.inputs.push_back(operand());
    if (chance(0.1)) {
      add(fmt::format("{}/draw = RandomUniform(dims) f32[4] +T=i32 +dtype=f32", name));
      op.inputs.back() = name + "/draw";
    }
    const std::string after =
        chance(0.15)
            ? ", ^" + values_[static_cast<std::size_t>(below(static_cast<int>(values_.size())))]
            : "";
    add(fmt::format("{} = {}({}{}) f32[4] +T=f32", name, op.type, fmt::join(op.inputs, ", "),
                    after));
    forward_.push_back(op);
    values_.push_back(name);
  }
  void add_loss() {
    add(fmt::format("square = Square({}) f32[4] +T=f32", values_.back()));
    add("axes = Const() i32[1] +dtype=i32 +value=i32[1]{0}");
    add("loss = Sum(square, axes) f32[] +T=f32 +Tidx=i32");
    add("g/seed = Const() f32[] +dtype=f32 +value=f32[]{1}");
    add("g/fill = Fill(dims, g/seed) f32[4] +T=f32 +index_type=i32");
    add("g/two = Const() f32[] +dtype=f32");
    add(fmt::format("g/twice = Mul(g/two, {}) f32[4] +T=f32", values_.back()));
    add("g/square = Mul(g/fill, g/twice) f32[4] +T=f32");
    gradients_[values_.back()] = {"g/square"};
  }
  // The sum of what reaches `value`; empty if nothing does.
  std::string gradient_of(const std::string& value) {
    const std::vector<std::string>& parts = gradients_[value];
    if (parts.size() < 2) return parts.empty() ? "" : parts.front();
    const std::string name = "g/sum_" + std::to_string(count_++);
    add(fmt::format("{} = AddN({}) f32[4] +T=f32 +N={}", name, fmt::join(parts, ", "),
                    parts.size()));
    return name;
  }
  void add_gradients() {
    for (auto op = forward_.rbegin(); op != forward_.rend(); ++op) {
      const std::string gradient = gradient_of(op->name);
      if (gradient.empty()) continue;
      if (op->type == "Mul") {
        add_product_gradients(*op, gradient);
        continue;
      }
      for (const std::string& input : op->inputs) {
        if (!has_gradient(input)) continue;
        if (op->type == "Add") {
          gradients_[input].push_back(gradient);
          continue;
        }
        const std::string name = "g/" + op->name;
        add(fmt::format("{} = TanhGrad({}, {}) f32[4] +T=f32", name, op->name, gradient));
        gradients_[input].push_back(name);
      }
    }
  }
  static bool has_gradient(const std::string& input) {
    return input != "x" && !input.ends_with("/draw");
  }
  // Both are handed on when both are there, so that no variable is updated while one still reads
  // it.
  void add_product_gradients(const Op& op, const std::string& gradient) {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < 2; ++i) {
      made.push_back(fmt::format("g/{}_{}", op.name, i));
      add(fmt::format("{} = Mul({}, {}) f32[4] +T=f32", made[i], gradient, op.inputs[1 - i]));
    }
    add(fmt::format("g/{}_group = NoOp(^{}, ^{})", op.name, made[0], made[1]));
    for (std::size_t i = 0; i < 2; ++i) {
      if (!has_gradient(op.inputs[i])) continue;
      add(fmt::format("{0}/dep = Identity({0}, ^g/{1}_group) f32[4] +T=f32", made[i], op.name));
      gradients_[op.inputs[i]].push_back(made[i] + "/dep");
    }
  }
  void add_updates() {
    add("lr = Const() f32[] +dtype=f32");
    std::string updates;
    for (const std::string& name : variables_) {
      const std::string gradient = gradient_of(name + "/read");
      if (gradient.empty()) continue;
      if (chance(0.5)) {
        add(fmt::format("up_{0} = ApplyGradientDescent({0}, lr, {1}) f32[4] +T=f32", name,
                        gradient));
      } else {
        add(fmt::format("{}/slot = VariableV2() f32[4] +dtype=f32 +shape=[4]", name));
        add(fmt::format("up_{0} = ApplyMomentum({0}, {0}/slot, lr, {1}, lr) f32[4] +T=f32", name,
                        gradient));
      }
      updates += (updates.empty() ? "^up_" : ", ^up_") + name;
    }
    if (updates.empty()) updates = "^loss";
    if (chance(0.5)) {
      add("step = VariableV2() f32[4] +dtype=f32 +shape=[4]");
      add(fmt::format("count = AssignAdd(step, lr, {}) f32[4] +T=f32", updates));
      updates = "^count";
    }
    add(fmt::format("train = NoOp({})", updates));
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> variables_, values_;
  std::vector<Op> forward_;
  std::map<std::string, std::vector<std::string>> gradients_;
  int count_ = 0;
};

// What lives from run to run.
struct State {
  std::map<std::string, Value> variables;
  Value step = 0;  // of the training; what is drawn depends on it
  std::set<std::string> drawn;
  bool operator==(const State& other) const { return variables == other.variables; }
};

// Copies of a phase compute what their originals do.
std::string original_name(std::string_view name) {
  if (!name.starts_with("phase_")) return std::string(name);
  return std::string(name.substr(name.find('/') + 1));
}

// Runs ops of a graph in an order that `random` chooses among those that are allowed.
class Interpreter {
 public:
  Interpreter(const Graph& graph, State& state, std::map<std::string, Value> fed)
      : graph_(graph),
        state_(state),
        fed_(std::move(fed)),
        values_(graph.op_count()),
        has_run_(graph.op_count()) {}

  void run(const std::vector<OpId>& targets, std::mt19937& random) {
    hands_on_ = random() % 2 == 0;
    std::vector<bool> wanted(graph_.op_count());
    std::vector<OpId> todo = targets;
    std::vector<OpId> waiting;
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      if (wanted[op.index()]) continue;
      wanted[op.index()] = true;
      waiting.push_back(op);
      for (const OpId input : inputs_of(op)) todo.push_back(input);
    }
    while (!waiting.empty()) {
      std::vector<std::size_t> ready;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (is_ready(waiting[i])) ready.push_back(i);
      }
      REQUIRE_FALSE(ready.empty());
      const std::size_t at = ready[random() % ready.size()];
      execute(waiting[at]);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  [[nodiscard]] Value value(TensorId tensor) const {
    REQUIRE(has_run_[tensor.op.index()]);
    return values_[tensor.op.index()];
  }

 private:
  [[nodiscard]] std::vector<OpId> inputs_of(OpId op) const {
    std::vector<OpId> inputs;
    for (const TensorId input : graph_.inputs(op)) inputs.push_back(input.op);
    for (const OpId input : graph_.control_inputs(op)) inputs.push_back(input);
    return inputs;
  }
  [[nodiscard]] bool is_ready(OpId op) const {
    for (const OpId input : inputs_of(op)) {
      if (!has_run_[input.index()]) return false;
    }
    return true;
  }
  // A variable is read when its reader runs; one behind an Identity either then or when the
  // Identity runs, since that may hand its buffer on.
  [[nodiscard]] Value read(TensorId input) const {
    OpId source = input.op;
    if (hands_on_ && graph_.type(source) == "Identity") source = graph_.inputs(source)[0].op;
    if (graph_.type(source) != "VariableV2") return values_[input.op.index()];
    return state_.variables[std::string(graph_.name(source))];
  }
  void execute(OpId op) {
    const std::string name(graph_.name(op));
    const std::string_view type = graph_.type(op);
    has_run_[op.index()] = true;
    Value& value = values_[op.index()];
    if (type == "Placeholder") {
      INFO(name);
      REQUIRE(fed_.contains(name));
      value = fed_.at(name);
      return;
    }
    const auto inputs = graph_.inputs(op);
    if (type == "Identity") {
      value = read(inputs[0]);
      return;
    }
    value = std::hash<std::string_view>()(type);
    if (type == "Const") value = mixed(value, std::hash<std::string>()(original_name(name)));
    if (type == "RandomUniform") {
      INFO(name << " draws again");
      REQUIRE(state_.drawn.insert(original_name(name)).second);
      value = mixed(value, mixed(state_.step, std::hash<std::string>()(original_name(name))));
    }
    for (const TensorId input : inputs) value = mixed(value, read(input));
    const std::size_t written = type == "ApplyMomentum"                            ? 2
                                : type.starts_with("Apply") || type == "AssignAdd" ? 1
                                                                                   : 0;
    for (std::size_t i = 0; i < written; ++i) {
      state_.variables[std::string(graph_.name(inputs[i].op))] = mixed(value, i);
    }
  }

  const Graph& graph_;
  State& state_;
  std::map<std::string, Value> fed_;
  std::vector<Value> values_;
  std::vector<bool> has_run_;
  bool hands_on_ = false;
};

Value train_plain(const Graph& graph, State& state, std::mt19937& random) {
  Interpreter step(graph, state, {{"x", 100 + state.step}});
  step.run({test::op(graph, "train"), test::op(graph, "loss")}, random);
  ++state.step;
  state.drawn.clear();
  return step.value({test::op(graph, "loss"), 0});
}

Value train_cycle(const Graph& original, const Graph& graph, const SectionsPlan& plan, State& state,
                  std::mt19937& random) {
  std::map<TensorId, Value> kept;
  const std::map<std::string, Value> usual{{"x", 100 + state.step}};
  Interpreter forward(graph, state, usual);
  std::vector<OpId> targets{plan.report.loss.op};
  for (const TensorId tensor : plan.report.forward_cache) targets.push_back(tensor.op);
  forward.run(targets, random);
  for (const TensorId tensor : plan.report.forward_cache) kept[tensor] = forward.value(tensor);
  for (const SectionPhase& phase : plan.report.phases) {
    std::map<std::string, Value> fed = usual;
    for (const auto& [placeholder, tensor] : phase.feeds) {
      INFO("no earlier run keeps " << original.tensor_name(tensor));
      REQUIRE(kept.contains(tensor));
      fed[std::string(plan.edit.name(original, placeholder))] = kept.at(tensor);
    }
    Interpreter run(graph, state, std::move(fed));
    targets = {phase.train_op};
    for (const auto& [fetched, tensor] : phase.cache) targets.push_back(fetched.op);
    run.run(targets, random);
    for (const auto& [fetched, tensor] : phase.cache) kept[tensor] = run.value(fetched);
  }
  ++state.step;
  state.drawn.clear();
  return forward.value(plan.report.loss);
}

}  // namespace

TEST_CASE("random training steps: a cycle of sections computes what the step computes") {
  int cut = 0;
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    const std::string text = RandomTraining(seed).text();
    INFO("seed " << seed << "\n" << text);
    const io::Document document = test::read_graph(text);
    std::mt19937 random(seed);
    SectionsOptions options;
    options.train_op = "train";
    options.loss = "loss";
    std::set<int> borders;
    for (int i = 1 + static_cast<int>(random() % 3); i > 0; --i) {
      borders.insert(2 + static_cast<int>(random() % 10));
    }
    for (const int border : borders) options.levels.push_back(std::to_string(border));
    Progress silent;
    const auto plan = plan_sections(GraphFacts(document.graph), document.collections, {}, options,
                                    std::nullopt, silent);
    if (!plan) {
      CHECK_FALSE(plan.error().message.empty());
      // A border may lie outside of a short forward pass.
      if (plan.error().code != Code::kNotFound) ++refused;
      continue;
    }
    ++cut;
    const auto changed = apply(document.graph, plan->edit);
    REQUIRE(changed);
    REQUIRE(verify_acyclic(*changed));
    State plain;
    State cycle;
    for (int step = 0; step < 3; ++step) {
      INFO("step " << step << ", borders " << fmt::format("{}", fmt::join(borders, ",")));
      const Value loss = train_plain(document.graph, plain, random);
      REQUIRE(train_cycle(document.graph, *changed, *plan, cycle, random) == loss);
      REQUIRE(cycle == plain);
    }
  }
  INFO(cut << " cut, " << refused << " refused");
  CHECK(cut > 4 * refused);
}

}  // namespace tideline
