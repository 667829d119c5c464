// Problem: how much a While op keeps depends on how often its body runs; its condition decides.
// Idea: most conditions compare a counter with a limit. Two calls of the body show by how much each
//   small integer, and each list's length, changes in a round. If both rounds change it by the same
//   amount, its value after k rounds is known for every k, and the first k for which the condition
//   is false is found by bisection: the condition is only called, never looked into.
//   i, n = 0, 40; cond: i < n; body: i + 1, push x:
//   after k rounds i = k and the list has k elements; the condition is false from k = 40 on
//   A condition that is false for k and unknown before, as "i < maximum_iterations and not done"
//   is, gives the most that the loop can run. Lists whose elements are one buffer in all rounds
//   (variables, values from outside) take no memory.
// Limits: conditions that become true again, and counters that do not grow evenly, are unknown.
// Cost: see called_loops.h. Source: own.
// Tested by unit/graph/shapes/called_loops_test.cc.
#include "core/graph/shapes/called_loops.h"

#include <algorithm>
#include <optional>

#include "core/graph/shapes/function_calls.h"
#include "core/graph/walks.h"

namespace tideline::shapes {
namespace {

using Facts = std::vector<TensorFact>;

// Numbers after 0, 1 and 2 rounds as `first + k * step`; nullopt where they do not grow evenly.
struct Growth {
  Dims first;
  std::vector<std::int64_t> step;

  [[nodiscard]] Dims after(std::int64_t rounds) const {
    Dims dims;
    for (std::size_t i = 0; i < first.size(); ++i) {
      dims.push_back(add(first[i], multiply(Dim::of(step[i]), Dim::of(rounds))));
    }
    return dims;
  }
};

std::optional<Growth> growth_of(const DimLists& lists, DimsId zero, DimsId one, DimsId two) {
  const Dims* a = lists.find(zero);
  const Dims* b = lists.find(one);
  const Dims* c = lists.find(two);
  if (a == nullptr || b == nullptr || c == nullptr) return std::nullopt;
  if (a->size() != b->size() || a->size() != c->size()) return std::nullopt;
  Growth growth{*a, {}};
  for (std::size_t i = 0; i < a->size(); ++i) {
    const bool known = (*a)[i].is_number() && (*b)[i].is_number() && (*c)[i].is_number();
    if (!known) return std::nullopt;
    const Dim step = subtract((*b)[i], (*a)[i]);
    if (!step.is_number() || add((*b)[i], step) != (*c)[i]) return std::nullopt;
    growth.step.push_back(step.value());
  }
  return growth;
}

class Rounds {
 public:
  Rounds(const LoopFunctions& loop, RuleContext& context, const Facts& entered, const Facts& state)
      : loop_(loop), context_(context), state_(state) {
    const auto one = context.calls().call(loop.body, entered);
    const auto two = one ? context.calls().call(loop.body, *one) : std::nullopt;
    values_.resize(state.size());
    lengths_.resize(state.size());
    if (!two || one->size() != state.size() || two->size() != state.size()) return;
    const DimLists& lists = context.lists();
    for (std::size_t i = 0; i < state.size(); ++i) {
      values_[i] = growth_of(lists, entered[i].value, (*one)[i].value, (*two)[i].value);
      lengths_[i] = growth_of(lists, entered[i].handle.length(), (*one)[i].handle.length(),
                              (*two)[i].handle.length());
    }
  }

  // The facts of the loop's variables after `rounds`.
  [[nodiscard]] Facts after(std::int64_t rounds) {
    Facts facts = state_;
    DimLists& lists = context_.lists();
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (values_[i]) facts[i].value = lists.id(values_[i]->after(rounds));
      const Handle list = facts[i].handle;
      if (!lengths_[i] || !list.has_content()) continue;
      facts[i].handle = Handle::of_content(
          list.value(), context_.checked_id(lengths_[i]->after(rounds)), list.type());
    }
    return facts;
  }

  // The first number of rounds after which the condition is false for certain.
  [[nodiscard]] std::optional<std::int64_t> find() {
    std::int64_t above = 1;
    if (ends_after(0)) return 0;
    while (!ends_after(above)) {
      above *= 2;
      if (above > kMostLoopRounds) return std::nullopt;
    }
    std::int64_t below = above / 2;
    while (above - below > 1) {
      const std::int64_t middle = below + (above - below) / 2;
      (ends_after(middle) ? above : below) = middle;
    }
    return above;
  }

 private:
  [[nodiscard]] bool ends_after(std::int64_t rounds) {
    const auto results = context_.calls().call(loop_.condition, after(rounds));
    if (!results || results->empty()) return false;
    const Dims* value = context_.lists().find(results->front().value);
    return value != nullptr && value->size() == 1 && value->front().is(0);
  }

  const LoopFunctions& loop_;
  RuleContext& context_;
  const Facts& state_;
  std::vector<std::optional<Growth>> values_, lengths_;
};

constexpr std::uint32_t kMostViews = 64;

// The tensor of which the value of `tensor` is a view.
TensorId behind_views(const Graph& body, TensorId tensor) {
  return source_of_value(body, tensor, kMostViews, [&](OpId op) {
    return body.type(op) == "Identity" || body.type(op) == "_Retval" || body.type(op) == "Reshape";
  });
}

// Whether the body returns its argument `index` unchanged as result `index`.
bool hands_on(const Function& body, std::size_t index) {
  if (index >= body.results.size() || index >= body.arguments.size()) return false;
  return behind_views(body.body, {body.results[index], 0}).op == body.arguments[index];
}

// Whether what the body appends to the list `index` is the same buffer in every round: a variable,
// a constant, or a value from outside of the loop.
bool appends_same(const Function& body, std::size_t index) {
  if (index >= body.results.size()) return false;
  const Graph& graph = body.body;
  const OpId put = behind_views(graph, {body.results[index], 0}).op;
  if (graph.type(put) != "TensorListPushBack" || graph.inputs(put).size() < 2) return false;
  const OpId source = behind_views(graph, graph.inputs(put)[1]).op;
  const std::string_view type = graph.type(source);
  if (type == "ReadVariableOp" || type == "Const") return true;
  const auto argument = std::find(body.arguments.begin(), body.arguments.end(), source);
  return argument != body.arguments.end() &&
         hands_on(body, static_cast<std::size_t>(argument - body.arguments.begin()));
}

LoopCount count_given(RuleContext& context, const CalledLoops& loops) {
  LoopCount count{std::string(context.graph().name(context.op()))};
  const auto traced =
      std::find_if(loops.traced.begin(), loops.traced.end(), [&](const GivenRounds& entry) {
        return entry.name == count.name || entry.name.ends_with("/" + count.name);
      });
  if (traced != loops.traced.end()) {
    count.rounds = traced->count;
    count.source = RoundsSource::kTraced;
  } else if (const GivenRounds* given = find_rounds(loops.given, count.name)) {
    count.rounds = given->count;
    count.source = RoundsSource::kGiven;
  }
  return count;
}

}  // namespace

void note_loop(RuleContext& context) {
  CalledLoops* loops = context.calls().loops();
  if (loops != nullptr) loops->note(count_given(context, *loops));
}

void count_rounds(const LoopFunctions& loop, const std::vector<TensorFact>& entered,
                  RuleContext& context, std::vector<TensorFact>& state) {
  CalledLoops& loops = *context.calls().loops();
  LoopCount count = count_given(context, loops);
  Rounds rounds(loop, context, entered, state);
  if (count.source == RoundsSource::kUnknown) {
    if (const auto found = rounds.find()) {
      count.rounds = *found;
      count.source = RoundsSource::kBounds;
    }
  }
  if (count.source != RoundsSource::kUnknown) {
    Facts last = rounds.after(count.rounds);
    const Function* body = context.calls().find(loop.body);
    for (std::size_t i = 0; i < state.size() && body != nullptr; ++i) {
      // Lists without memory of this loop.
      if (last[i].handle.has_content() && (hands_on(*body, i) || appends_same(*body, i))) {
        last[i].handle = Handle::of_content(last[i].handle.value(), kNothing);
      }
    }
    state = std::move(last);
  }
  loops.note(std::move(count));
}

}  // namespace tideline::shapes
