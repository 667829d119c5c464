// Tested by unit/runtime/cluster_servers_test.cc and integration/cluster_test.py.
#include "core/runtime/cluster_servers.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "core/runtime/cluster_task.h"
#include "core/runtime/spawn.h"

namespace tideline::runtime {
namespace {

constexpr std::size_t kShownWords = 500;

}  // namespace

Status ClusterServers::start(const Cluster& cluster, const ClusterTask& task,
                             const ServerOptions& options, Progress& progress) {
  TIDELINE_TRY(TaskLock lock, TaskLock::take(task));
  WorkerOptions limits;
  limits.memory_limit = options.memory_limit;
  TIDELINE_TRY(Worker worker, Worker::start(limits));
  SessionOptions session;
  session.threads = options.threads;
  session.cpu_devices = options.cpu_devices;
  const ServeRequest request{options.library, server_def(cluster, task, session), options.bind,
                             port_of(task), options.memory_limit};
  auto answer = worker.serve(request, progress);
  if (!answer) return tl::unexpected(with_context(std::move(answer).error(), task_text(task)));
  if (answer->code != 0) {
    std::string why = answer->message;
    // TensorFlow itself says no more than "Could not start gRPC server".
    if (!worker.last_words().empty()) why += "; its last output: " + worker.last_words();
    return fail(Code::kInvalidArgument, "{} at {}: {}", task_text(task), task.address,
                one_line(why, kShownWords));
  }
  servers_.push_back({task, std::move(lock), std::move(worker), std::move(answer->version)});
  return {};
}

std::vector<EndedTask> ClusterServers::ended() {
  std::vector<EndedTask> ended;
  std::vector<Server> running;
  for (Server& server : servers_) {
    if (server.worker.is_alive()) {
      running.push_back(std::move(server));
    } else {
      ended.push_back({server.task, one_line(server.worker.last_words(), kShownWords)});
    }
  }
  servers_.swap(running);
  return ended;
}

bool is_ipv4(std::string_view text) {
  in_addr address{};
  return ::inet_pton(AF_INET, std::string(text).c_str(), &address) == 1;
}

bool is_loopback(std::string_view host) {
  if (host == "localhost") return true;
  in_addr address{};
  constexpr std::uint32_t kNetwork = 127;
  constexpr unsigned kHostBits = 24;
  return ::inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
         ntohl(address.s_addr) >> kHostBits == kNetwork;
}

}  // namespace tideline::runtime
