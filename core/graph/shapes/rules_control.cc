// Control flow: branches and loops as ops of the graph, and as called functions.
#include <algorithm>

#include "core/graph/shapes/called_loops.h"
#include "core/graph/shapes/function_calls.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

using Facts = std::vector<TensorFact>;

void pass_first(RuleContext& context) {
  context.set(0, context.fact(0));
}

void switch_ways(RuleContext& context) {
  for (std::size_t i = 0; i < context.output_count(); ++i) context.set(i, context.fact(0));
}

// The output is what all known inputs have in common; the second output is the number of the input.
void merge(RuleContext& context) {
  TensorFact joined = TensorFact::pending();
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    if (context.is_pending(i)) continue;
    joined = join_facts(context.lists(), joined, context.fact(i));
  }
  if (joined.shape != kPending) context.set(0, joined);
  context.set_shape(1, DimLists::scalar());
}

// Shapes that the op says for its outputs, met with `facts`.
void set_results(RuleContext& context, const Facts& facts) {
  const auto said = context.shape_list("output_shapes");
  for (std::size_t i = 0; i < context.output_count(); ++i) {
    TensorFact fact = i < facts.size() ? facts[i] : TensorFact{};
    if (i < said.size()) {
      bool agree = true;
      fact.shape = meet_lists(context.lists(), said[i], fact.shape, agree);
      if (!agree) fact.value = kNothing;
    }
    context.set(i, fact);
  }
}

Facts inputs_of(const RuleContext& context, std::size_t first) {
  Facts facts;
  for (std::size_t i = first; i < context.input_count(); ++i) {
    TensorFact fact = context.fact(i);
    // A container does not leave its graph; what it holds by now does.
    if (fact.handle.is_cell()) fact.handle = {};
    facts.push_back(fact);
  }
  return facts;
}

std::string function_name(RuleContext& context, std::string_view key) {
  const auto value = context.attribute(key);
  return value && value->kind == AttrValue::Kind::kFunction ? value->string : std::string();
}

// `first`: where the arguments begin.
template <std::size_t first>
void call(RuleContext& context) {
  const auto results = context.calls().call(function_name(context, "f"), inputs_of(context, first));
  set_results(context, results.value_or(Facts{}));
}

// All branches may be taken; nothing is known when one of them is not.
void branches(RuleContext& context, const std::vector<std::string>& names) {
  Facts joined;
  const Facts inputs = inputs_of(context, 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto results = context.calls().call(names[i], inputs);
    if (!results) return set_results(context, {});
    if (i == 0) joined = *results;
    joined.resize(std::min(joined.size(), results->size()));
    for (std::size_t k = 0; k < joined.size(); ++k) {
      joined[k] = join_facts(context.lists(), joined[k], (*results)[k]);
    }
  }
  set_results(context, joined);
}

void if_else(RuleContext& context) {
  branches(context, {function_name(context, "then_branch"), function_name(context, "else_branch")});
}

void choose_case(RuleContext& context) {
  const auto value = context.attribute("branches");
  branches(context, value ? value->functions : std::vector<std::string>{});
}

// What holds before the first step and after every further one: joined until nothing changes.
// Dims that keep changing are given up. `leading`: arguments of the body before the state.
std::optional<Facts> steady_state(RuleContext& context, const std::string& body, Facts state,
                                  const Facts& leading) {
  constexpr int kMostSteps = 24;
  for (int step = 0; step < kMostSteps; ++step) {
    Facts arguments = leading;
    arguments.insert(arguments.end(), state.begin(), state.end());
    const auto results = context.calls().call(body, arguments);
    if (!results || results->size() != state.size()) return std::nullopt;
    Facts next = state;
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = join_facts(context.lists(), state[i], (*results)[i]);
    }
    if (next == state) return state;
    state = std::move(next);
  }
  return std::nullopt;
}

void loop(RuleContext& context) {
  note_loop(context);
  const std::string body = function_name(context, "body");
  const Facts entered = inputs_of(context, 0);
  auto state = steady_state(context, body, entered, {});
  if (state && context.calls().loops() != nullptr) {
    count_rounds({function_name(context, "cond"), body}, entered, context, *state);
  }
  set_results(context, state.value_or(Facts{}));
}

// for i in range(start, limit, delta): inputs = body(i, inputs)
void for_loop(RuleContext& context) {
  const auto state = steady_state(context, function_name(context, "body"), inputs_of(context, 3),
                                  {TensorFact{DimLists::scalar(), kNothing, {}}});
  set_results(context, state.value_or(Facts{}));
}

constexpr ShapeRuleEntry kControlTable[] = {
    {"Switch RefSwitch _SwitchN", switch_ways},
    {"Merge RefMerge _XlaMerge", merge},
    {"Enter RefEnter Exit RefExit NextIteration RefNextIteration", pass_first},
    {"PartitionedCall StatefulPartitionedCall TPUPartitionedCall", call<0>},
    {"RemoteCall", call<1>},
    {"If StatelessIf _If", if_else},
    {"Case StatelessCase", choose_case},
    {"While StatelessWhile _While", loop},
    {"For", for_loop},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kControlRules = kControlTable;

}  // namespace tideline::shapes
