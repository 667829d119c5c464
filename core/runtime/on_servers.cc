// Tested by unit/runtime/on_servers_test.cc and integration/cluster_test.py.
#include "core/runtime/on_servers.h"

#include <chrono>
#include <thread>

#include "core/runtime/cluster_task.h"

namespace tideline::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// TensorFlow's servers dial each other once a second.
constexpr std::chrono::seconds kDialing{15};
constexpr std::chrono::milliseconds kBetweenDials{300};

}  // namespace

Status train_on_servers(const std::optional<Cluster>& cluster, const std::string& library,
                        const std::function<Status()>& train,
                        const std::function<bool()>& has_begun, Progress& progress) {
  const Clock::time_point started = Clock::now();
  while (true) {
    Status trained = train();
    if (trained || trained.error().code == Code::kCancelled) return trained;
    Error error = std::move(trained).error();
    if (cluster) {
      const auto silent = silent_tasks(*cluster, library, progress);
      if (silent && !silent->empty()) {
        return tl::unexpected(with_context(std::move(error), *silent));
      }
    }
    const bool may_pass =
        error.code == Code::kUnavailable && !has_begun() && Clock::now() - started < kDialing;
    if (!may_pass) return tl::unexpected(std::move(error));
    std::this_thread::sleep_for(kBetweenDials);
  }
}

}  // namespace tideline::runtime
