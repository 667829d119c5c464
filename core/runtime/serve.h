// The worker process: loads TensorFlow and serves requests until the socket is closed.
#pragma once

#include <optional>
#include <string>

namespace tideline::runtime {

/// First argument of a worker process. Internal, not part of the documented command line.
inline constexpr const char* kWorkerArgument = "--tensorflow-worker";
/// The descriptor of the socket for requests.
inline constexpr int kWorkerSocket = 3;

/// To be called first in `main` of every program that starts workers. If the arguments say that
/// this process is a worker (kWorkerArgument, then the process id of the parent), serves requests
/// and returns the exit code; otherwise returns nullopt. With a further argument, a Python, it
/// becomes that and runs optimize.py.
[[nodiscard]] std::optional<int> serve_if_asked(int argc, char** argv);

}  // namespace tideline::runtime
