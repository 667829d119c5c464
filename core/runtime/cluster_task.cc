// Tested by unit/runtime/cluster_task_test.cc and integration/cluster_test.py.
#include "core/runtime/cluster_task.h"

#include <fmt/format.h>

#include "core/base/parse.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/runtime/reachable.h"
#include "core/runtime/spawn.h"

namespace tideline::runtime {
namespace {

// Field numbers of TensorFlow's public format.
namespace cluster_def {
constexpr std::uint32_t kJob = 1;
}
namespace job_def {
constexpr std::uint32_t kTitle = 1, kTasks = 2;
}
namespace server_fields {
constexpr std::uint32_t kCluster = 1, kJobName = 2, kTaskIndex = 3, kSessionConfig = 4,
                        kProtocol = 5;
}

constexpr std::size_t kShownWhy = 300;
constexpr double kProbeSeconds = 5;

std::string encoded_cluster(const Cluster& cluster) {
  std::string out;
  std::string job;
  const auto end_job = [&] {
    if (!job.empty()) io::append_bytes(out, cluster_def::kJob, job);
    job.clear();
  };
  for (std::size_t i = 0; i < cluster.tasks.size(); ++i) {
    const ClusterTask& task = cluster.tasks[i];
    if (i == 0 || cluster.tasks[i - 1].job != task.job) {
      end_job();
      io::append_bytes(job, job_def::kTitle, task.job);
    }
    std::string entry;
    io::append_varint_field(entry, io::map_entry::kKey, static_cast<std::uint32_t>(task.index));
    io::append_bytes(entry, io::map_entry::kValue, task.address);
    io::append_bytes(job, job_def::kTasks, entry);
  }
  end_job();
  return out;
}

}  // namespace

std::string server_def(const Cluster& cluster, const ClusterTask& task,
                       const SessionOptions& options) {
  std::string out;
  io::append_bytes(out, server_fields::kCluster, encoded_cluster(cluster));
  io::append_bytes(out, server_fields::kJobName, task.job);
  io::append_varint_field(out, server_fields::kTaskIndex, static_cast<std::uint32_t>(task.index));
  io::append_bytes(out, server_fields::kSessionConfig, session_config(options));
  io::append_bytes(out, server_fields::kProtocol, "grpc");
  return out;
}

std::string target_of(const ClusterTask& task) {
  return "grpc://" + task.address;
}

std::int32_t port_of(const ClusterTask& task) {
  return parse_as<std::int32_t>(task.address.substr(task.address.rfind(':') + 1)).value_or(0);
}

Result<TaskAnswer> ask_task(const ClusterTask& task, const std::string& library, double limit_s,
                            Progress& progress) {
  // TensorFlow goes on trying where nobody listens.
  if (const std::string refused = why_unreachable(task.address, limit_s); !refused.empty()) {
    return TaskAnswer{false, refused};
  }
  // The time of loading TensorFlow comes on top; a call to the server has a limit of its own.
  constexpr double kLoading = 60;
  constexpr double kMilliseconds = 1000;
  WorkerOptions options;
  options.time_limit_s = limit_s + kLoading;
  TIDELINE_TRY(Worker worker, Worker::start(options));
  LoadRequest request;
  request.library = library;
  request.target = target_of(task);
  SessionOptions session;
  session.tasks = {task_text(task)};
  session.is_isolated = true;
  session.time_limit_ms = static_cast<std::int64_t>(limit_s * kMilliseconds);
  request.config = session_config(session);
  auto answer = worker.load(request, progress);
  if (!answer) {
    if (answer.error().code == Code::kCancelled) return tl::unexpected(answer.error());
    return TaskAnswer{false, one_line(answer.error().message, kShownWhy)};
  }
  if (answer->code != 0) return TaskAnswer{false, one_line(answer->message, kShownWhy)};
  return TaskAnswer{true, {}, std::move(answer->devices)};
}

Result<std::string> silent_tasks(const Cluster& cluster, const std::string& library,
                                 Progress& progress) {
  std::string silent;
  for (const ClusterTask& task : cluster.tasks) {
    TIDELINE_TRY(const TaskAnswer answer, ask_task(task, library, kProbeSeconds, progress));
    if (answer.answers) continue;
    if (!silent.empty()) silent += "; ";
    silent +=
        fmt::format("{} at {} does not answer ({})", task_text(task), task.address, answer.why);
  }
  return silent;
}

}  // namespace tideline::runtime
