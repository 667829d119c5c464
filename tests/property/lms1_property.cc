// LMS v1 on random training graphs: against its rules once more, and against what must never be.
#include <catch2/catch.hpp>
#include <random>

#include "core/rewrite/diff.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/plan_json.h"
#include "tests/property/reference_lms1.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// A forward phase fw/, a backward phase opt/ that reads it in reverse, gradients that wait for each
// other by a NoOp as TensorFlow groups them, and updates, some of them outside of opt/.
class RandomStep {
 public:
  explicit RandomStep(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    add("fw/x", "Placeholder", {});
    forward_ = {"fw/x"};
    for (int i = 2 + below(20); i > 0; --i) add_forward();
    for (auto f = forward_.rbegin(); f != forward_.rend(); ++f) {
      for (int i = below(3); i > 0; --i) add_backward(*f);
      if (backward_.size() > 2 && chance(0.4)) add_group();
    }
    std::vector<std::string> updates;
    for (int i = below(6); i > 0 && !backward_.empty(); --i) {
      updates.push_back(unique(chance(0.5) ? "opt/u" : "update/u"));
      add(updates.back(), "MadeUp",
          {any(backward_), any(updates.size() < 2 || chance(0.7) ? backward_ : updates, 1)});
    }
    for (int i = below(4); i > 0 && !updates.empty(); --i) {
      add(unique("opt/late"), "MadeUp", {any(updates), any(backward_)});
    }
    return text_;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  bool chance(double share) { return below(1000) < share * 1000; }
  std::string unique(const std::string& word) { return word + std::to_string(count_++); }
  // Any of `names` but for the last `without`; one of the last few of them.
  const std::string& any(const std::vector<std::string>& names, std::size_t without = 0) {
    const std::size_t size = std::max<std::size_t>(names.size(), without + 1) - without;
    return names[static_cast<std::size_t>(below(static_cast<int>(size)))];
  }
  const std::string& recent(const std::vector<std::string>& names) {
    return names[names.size() - 1 -
                 static_cast<std::size_t>(below(std::min<int>(4, static_cast<int>(names.size()))))];
  }
  void add(const std::string& name, const char* type, std::vector<std::string> inputs) {
    text_ += fmt::format("{} = {}({}) f32[2,4]\n", name, type, fmt::join(inputs, ", "));
  }
  const char* type() {
    const int pick = below(6);
    return pick == 0 ? "Identity" : pick == 1 ? "Add" : "MadeUp";
  }
  void add_forward() {
    std::vector<std::string> inputs;
    for (int i = 1 + below(3); i > 0; --i) inputs.push_back(recent(forward_));
    if (chance(0.1)) inputs.push_back("^" + any(forward_));
    const std::string name = unique(chance(0.2) ? "fw/cond/f" : "fw/f");
    add(name, type(), inputs);
    forward_.push_back(name);
  }
  void add_backward(const std::string& forward) {
    std::vector<std::string> inputs = {forward};
    if (!backward_.empty() && chance(0.8)) inputs.push_back(recent(backward_));
    if (chance(0.3)) inputs.push_back(any(forward_));
    if (!backward_.empty() && chance(0.15)) inputs.push_back("^" + any(backward_));
    const std::string name = unique(chance(0.05) ? "opt/cond/b" : "opt/b");
    add(name, type(), inputs);
    backward_.push_back(name);
  }
  void add_group() {
    const std::string first = recent(backward_);
    const std::string second = recent(backward_);
    const std::string group = unique("opt/tuple/group_deps");
    text_ += fmt::format("{} = NoOp(^{}, ^{})\n", group, first, second);
    for (const std::string& op : {first, second}) {
      const std::string name = unique("opt/tuple/control_dependency");
      add(name, "MadeUp", {op, "^" + group});
      backward_.push_back(name);
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> forward_, backward_;
  int count_ = 0;
};

Lms1Options random_options(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<int> values) {
    return values.begin()[random() % values.size()];
  };
  Lms1Options options;
  options.optimizer_scopes = {"opt/"};
  options.n_tensors = one_of({-1, -1, -1, 2, 5});
  options.lb = one_of({0, 1, 1, 2, 3, 5});
  options.ub = one_of({10000, 10000, 2, 4, 8});
  options.fuse_swapins = random() % 3 == 0;
  options.swap_branches = random() % 3 == 0;
  options.branch_threshold = one_of({0, 1, 2, 5});
  if (random() % 3 == 0) options.ctrld_strategy = ControlStrategy::kDirectOrder;
  return options;
}

test::SlowLms1Plan plain(const Graph& graph, const LmsPlan& plan) {
  test::SlowLms1Plan found;
  for (const OpId op : plan.order->starting) found.starting.emplace(graph.name(op));
  for (const OpId op : graph.ops()) {
    const int order = plan.order->order_of[op.index()];
    if (order >= 0) found.order_of[std::string(graph.name(op))] = order;
  }
  found.backward_start = plan.order->backward_start;
  for (const PlannedSwap& swap : plan.swaps) {
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      std::set<std::string> consumers;
      for (const OpId op : swap_in.consumers) consumers.emplace(graph.name(op));
      std::string& trigger = found.swap_ins[{graph.tensor_name(swap.tensor), consumers}];
      if (swap_in.trigger.valid()) trigger = graph.name(swap_in.trigger);
    }
  }
  return found;
}

}  // namespace

TEST_CASE(
    "random steps: starting ops, orders, swaps and control ops of LMS v1 equal the slow rules") {
  std::size_t swap_ins = 0;
  std::size_t triggers = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed + 7777);
    const io::Document document = test::read_graph(RandomStep(seed).text());
    const Lms1Options options = random_options(random);
    Progress silent;
    const auto plan = plan_lms1(document.graph, {}, options, silent);
    if (!plan) {
      REQUIRE(plan.error().message == "No operations were found with optimizer scopes {'opt/'}.");
      continue;
    }
    const test::SlowLms1Plan slow = test::slow_lms1(document.graph, options);
    const test::SlowLms1Plan found = plain(document.graph, *plan);
    REQUIRE(found.starting == slow.starting);
    REQUIRE(found.order_of == slow.order_of);
    REQUIRE(found.backward_start == slow.backward_start);
    REQUIRE(found.swap_ins == slow.swap_ins);
    swap_ins += found.swap_ins.size();
    for (const auto& [key, trigger] : found.swap_ins) triggers += trigger.empty() ? 0 : 1;
  }
  CHECK(swap_ins > 1000);  // the graphs are worth the trouble
  CHECK(triggers > 500);
}

TEST_CASE("random steps: a rewrite by LMS v1 is sound and makes no cycle") {
  for (std::uint32_t seed = 1000; seed < 3000; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(RandomStep(seed).text());
    const Lms1Options options = random_options(random);
    Progress silent;
    const auto plan = plan_lms1(document.graph, {}, options, silent);
    if (!plan) continue;
    const auto rewritten = apply(document.graph, *plan);  // verifies that there is no cycle
    REQUIRE(rewritten);
    REQUIRE(diff_graphs(document.graph, *rewritten).violations.empty());
    const auto twin = plan_lms1(document.graph, {}, options, silent);
    REQUIRE(twin);
    REQUIRE(plan_json(document.graph, *plan, options, {}) ==
            plan_json(document.graph, *twin, options, {}));
  }
}

}  // namespace tideline
