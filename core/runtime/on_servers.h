// A training on servers of TensorFlow that may begin again, and whose end names who is to blame.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/cluster.h"

namespace tideline::runtime {

/// Calls `train`, which begins a training anew, until it succeeds or fails for good. A server that
/// has lost another dials it again once a second, and a step that comes too early fails with
/// kUnavailable although all tasks answer: `train` is then called again, for some seconds, unless
/// `has_begun` says that a step was done. Errors: those of `train`, behind the names of the tasks
/// of `cluster` that do not answer (silent_tasks).
[[nodiscard]] Status train_on_servers(const std::optional<Cluster>& cluster,
                                      const std::string& library,
                                      const std::function<Status()>& train,
                                      const std::function<bool()>& has_begun, Progress& progress);

}  // namespace tideline::runtime
