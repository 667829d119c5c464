// --cluster: the tasks of a cluster of TensorFlow, from a file or from TF_CONFIG.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/source_bytes.h"
#include "core/graph/cluster.h"

namespace tideline::app {

/// The word that stands for the environment's TF_CONFIG in the place of a path.
inline constexpr std::string_view kFromEnvironment = "TF_CONFIG";

/// Reads a JSON file: what tf.train.ClusterSpec takes, {"worker": ["HOST:PORT", ...]} with a list
/// or an object of indices for each job, or the same as the member "cluster" of an object, as in
/// TF_CONFIG. Such an object may have the member "devices": by job, or by "JOB:INDEX" for one task,
/// a list such as ["CPU:0", "GPU:0"]. `path` may be kFromEnvironment. Errors: kIo, kNotFound;
/// kCorrupt naming file, key and what was expected.
[[nodiscard]] Result<Cluster> read_cluster(const std::string& path, Pipes pipes = Pipes::kRefuse);

}  // namespace tideline::app
