// A worker that loads a library that stands in for TensorFlow.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "core/runtime/worker.h"

namespace tideline::runtime::worker_fixture {

inline const std::string kLibrary =
    std::string(TIDELINE_FAKE_TENSORFLOW) + "/libtensorflow_cc.so.2";

inline Worker started(const WorkerOptions& options = {}) {
  Progress progress;
  auto worker = Worker::start(options);
  REQUIRE(worker);
  LoadRequest request;
  request.library = kLibrary;
  request.graph = "a graph";
  request.memory_limit = options.memory_limit;
  request.may_write = options.may_write;
  const auto answer = worker->load(request, progress);
  REQUIRE(answer);
  REQUIRE(answer->message.empty());
  CHECK(answer->version == "0.0.0-fake");
  return *std::move(worker);
}

inline RunRequest target(const std::string& name) {
  RunRequest request;
  request.targets.push_back(name);
  return request;
}

}  // namespace tideline::runtime::worker_fixture
