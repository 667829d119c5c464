// The worker's side: a process that loads TensorFlow and answers until nobody asks any more.
#pragma once

#include <optional>
#include <string>

namespace tideline::runtime {

/// The first argument of a process that shall be a worker. It is no part of the command line that
/// users see.
inline constexpr const char* kWorkerArgument = "--tensorflow-worker";
/// The descriptor of the socket over which a worker is asked.
inline constexpr int kWorkerSocket = 3;

/// To be called first by `main` of every program that starts workers: when the arguments say that
/// this process is one (kWorkerArgument, process id of the one that asks), serves and returns the
/// exit code; else does nothing.
[[nodiscard]] std::optional<int> serve_if_asked(int argc, char** argv);

}  // namespace tideline::runtime
