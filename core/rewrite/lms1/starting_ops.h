// Rules 1 and 2 of LMS v1: the backward ops, and the ops at which the forward pass begins.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms1/options.h"

namespace tideline::lms1 {

/// By op: whether its name starts with an optimizer scope. A scope without ops is noted in `log`.
/// Errors: kNotFound, with the reference's message, when no op is a backward op. Cost: O(ops x
/// scopes). Thread: pure.
[[nodiscard]] Result<std::vector<bool>> backward_ops(const Graph& graph, const Lms1Options& options,
                                                     std::vector<std::string>& log);

/// The ops at which the search for tensors starts, in file order: those that the user names; else,
/// of the forward ops that backward ops read, those that reach the most others of them through
/// forward ops, possibly none. Errors: kNotFound, with the reference's message.
/// Cost: O(ops + edges) for each 512 ops that no other one reaches. Thread: pure.
[[nodiscard]] Result<std::vector<OpId>> starting_ops(const Graph& graph, const Consumers& consumers,
                                                     const std::vector<bool>& is_backward,
                                                     const Lms1Options& options);

}  // namespace tideline::lms1
