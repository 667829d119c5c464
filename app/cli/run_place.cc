#include "app/cli/run_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/engine/read_cluster.h"
#include "core/graph/device_name.h"
#include "core/runtime/cluster_task.h"

namespace tideline::cli {
namespace {

std::string check_target(const std::string& text) {
  constexpr std::string_view kScheme = "grpc://";
  const std::size_t colon = text.rfind(':');
  const bool is_target = text.starts_with(kScheme) && colon >= kScheme.size() &&
                         colon + 1 < text.size() && colon > kScheme.size();
  return is_target ? std::string()
                   : fmt::format("expected a server such as grpc://127.0.0.1:2222, not {}", text);
}

}  // namespace

void add_place_options(const Command& command, RunOptions& options) {
  const std::string group = "On servers of TensorFlow";
  const Option target =
      command
          .add_option("--target", options.target,
                      "The server that runs the graph (without it: a process of this machine)")
          .type_name("grpc://HOST:PORT")
          .check(check_target)
          .group(group);
  command
      .add_option("--cluster", options.cluster,
                  "JSON as tf.train.ClusterSpec takes it, or the word TF_CONFIG: the graph runs on "
                  "the first task of the jobs chief, master and worker, and its devices must be "
                  "there; a task that does not answer is named")
      .type_name("FILE")
      .not_empty()
      .group(group)
      .excludes(target);
  command
      .add_option("--step-limit", options.step_limit_s,
                  "Seconds that a step on servers may take (default: 300)")
      .type_name("S")
      .in_range(0.001, 1e6)
      .group(group);
}

std::optional<int> refuse_place(const RunOptions& options) {
  if (!options.step_limit_s || !options.target.empty() || !options.cluster.empty()) {
    return std::nullopt;
  }
  return report_usage({Code::kInvalidArgument,
                       "--step-limit: is for a step on servers; expected --cluster or --target, "
                       "or --time-limit"});
}

Result<RunPlace> find_place(const RunOptions& options) {
  RunPlace place;
  place.target = options.target;
  if (!options.cluster.empty()) {
    TIDELINE_TRY(place.cluster, app::read_cluster(options.cluster, Pipes::kRead));
    place.target = runtime::target_of(main_task(*place.cluster));
  }
  return place;
}

bool names_a_job(const Graph& graph) {
  const auto devices = graph.devices();
  return std::any_of(devices.begin(), devices.end(), [](std::string_view device) {
    const auto name = parse_device(device);
    return name && (!name->job.empty() || !name->task.empty());
  });
}

Status check_devices(const RunPlace& place, const io::Document& document) {
  if (!place.cluster) return {};
  for (const std::string_view device : document.graph.devices()) {
    const auto name = parse_device(device);
    if (!name || (name->job.empty() && name->task.empty())) continue;
    Status status = check_device(*place.cluster, std::string(device), "device");
    if (!status) return tl::unexpected(with_context(std::move(status).error(), document.path));
  }
  return {};
}

}  // namespace tideline::cli
