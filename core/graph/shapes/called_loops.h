// The rounds of a While op, and what its results are after them.
#pragma once

#include <string>
#include <vector>

#include "core/graph/shapes/rule_context.h"

namespace tideline::shapes {

/// The functions of a While op.
struct LoopFunctions {
  std::string condition;
  std::string body;
};

/// Notes the loop with the rounds that the user gives, if any. Does nothing unless rounds are
/// counted.
void note_loop(RuleContext& context);

/// Finds how often the loop runs when it is entered with `entered`, notes it in the CalledLoops of
/// the context, and completes `state`, which holds after any number of rounds, by what holds after
/// all of them: counters, and lengths of lists that get an element in each round.
/// Precondition: context.calls().loops() is not null; both lists are as long as the body's results.
/// Cost: about 60 calls of the condition, and two of the body.
void count_rounds(const LoopFunctions& loop, const std::vector<TensorFact>& entered,
                  RuleContext& context, std::vector<TensorFact>& state);

}  // namespace tideline::shapes
