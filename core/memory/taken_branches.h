// Conditionals of a step: of the two branches of each, one runs.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/as_run/folding.h"
#include "core/base/error.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Takes the ops of the branches that are not taken out of `step`: their inputs and outputs go, and
/// a Merge reads what it gets from the other branch. Ops beyond those of `folding` were added by a
/// plan, which keeps the facts (kept_facts.h). Unless step.taken says what is taken, as for a plan,
/// it is set: the branch that step.run gives, else the one whose ops make more bytes on the device,
/// since the largest step is asked for; inner conditionals are decided first, and of them only what
/// they take counts. Cost: O(size of the conditionals x log).
void take_branches(const Folding& folding, StepGraph& step);

/// Whether each of `given` names a conditional of the folding. Errors: kNotFound with the nearest
/// names, or that what it names calls its branches as functions, of which none is simulated.
[[nodiscard]] Status check_branches(const GraphFacts& facts, const Folding& folding,
                                    const std::vector<GivenBranch>& given);

/// "of 2 conditionals, cond takes true (makes 1.20 MiB, false 1.00 MiB), cond_1 takes false (as
/// given)"; at most four are named. Empty for a step without conditionals.
[[nodiscard]] std::string taken_text(const StepGraph& step);
/// "it is of the branch of cond for false, which is not taken"; empty for other ops.
[[nodiscard]] std::string skipped_text(const StepGraph& step, OpId op);

}  // namespace tideline
