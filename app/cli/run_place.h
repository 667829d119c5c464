// Where `run` and `compare` run a graph: in a process of this machine, or on servers of a cluster.
#pragma once

#include <optional>
#include <string>

#include "app/cli/run_options.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/cluster.h"
#include "core/io/document.h"

namespace tideline::cli {

/// Adds --target, --cluster and --step-limit.
void add_place_options(const Command& command, RunOptions& options);

/// The servers on which the graph runs.
struct RunPlace {
  std::optional<Cluster> cluster;  ///< of --cluster
  std::string target;              ///< empty: the worker process
};
/// Prints what is wrong with these options, if anything, and returns the exit code.
[[nodiscard]] std::optional<int> refuse_place(const RunOptions& options);
/// Reads --cluster. Errors: those of read_cluster.
[[nodiscard]] Result<RunPlace> find_place(const RunOptions& options);
/// Whether a device of `graph` names a job or a task.
[[nodiscard]] bool names_a_job(const Graph& graph);
/// Every device that `document` names must be one of the cluster, if there is one. Errors: those
/// of check_device, with the path.
[[nodiscard]] Status check_devices(const RunPlace& place, const io::Document& document);

}  // namespace tideline::cli
