// Rules 1 and 2 of LMS v1: where the backward phase is, and where the forward phase begins.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms1/options.h"

namespace tideline::lms1 {

/// By op: whether its name starts with an optimizer scope. A scope without ops is noted in `log`.
/// Errors: kNotFound in the reference's words when no op is a backward op.
[[nodiscard]] Result<std::vector<bool>> backward_ops(const Graph& graph, const Lms1Options& options,
                                                     std::vector<std::string>& log);

/// The ops from which tensors are looked for, in file order. Those that the user names; else, of
/// the forward ops that backward ops read, those that reach most others of these through forward
/// ops. May be empty in the second case. Errors: kNotFound in the reference's words.
/// Cost: O(ops + edges) for each 512 ops that no other one reaches. Thread: pure.
[[nodiscard]] Result<std::vector<OpId>> starting_ops(const Graph& graph, const Consumers& consumers,
                                                     const std::vector<bool>& is_backward,
                                                     const Lms1Options& options);

}  // namespace tideline::lms1
