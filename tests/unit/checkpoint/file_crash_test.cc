// What is left of a save through the backend `file` that did not end well.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>

#include "tests/unit/checkpoint/backends.h"

namespace tideline::checkpoint {

TEST_CASE("a checkpoint of file is whole whenever the process is killed") {
  constexpr int kKills = 200;
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  // All tensors hold the number of the save.
  Floats small("small", std::vector<float>(10, 0));
  Floats large("large", std::vector<float>(300000, 0));
  Floats other("other", std::vector<float>(200000, 0));
  const auto tensors = [&] { return std::vector{small.tensor(), large.tensor(), other.tensor()}; };
  const auto fill = [&](float number) {
    for (Floats* each : {&small, &large, &other}) each->values.assign(each->values.size(), number);
  };
  REQUIRE(file->save(tensors(), -1, {}, silent));
  // Moments within the next few saves, however long one takes here and now.
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) REQUIRE(file->save(tensors(), -1, {}, silent));
  const std::chrono::duration<double, std::micro> three = std::chrono::steady_clock::now() - begin;
  const auto longest_us = static_cast<std::minstd_rand::result_type>(three.count()) + 5000;
  std::minstd_rand random(5);
  float last = 0;
  int moved = 0;
  for (int i = 0; i < kKills; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (float number = last + 1;; ++number) {
        fill(number);
        if (!file->save(tensors(), -1, {}, silent)) ::_exit(1);
      }
    }
    ::usleep(static_cast<useconds_t>(random() % longest_us));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));  // no save failed
    const Status loaded = file->load(tensors(), -1, silent);
    INFO((loaded ? "" : loaded.error().message));
    REQUIRE(loaded);
    const float number = small.values.front();
    REQUIRE(number >= last);
    REQUIRE(large.values == std::vector<float>(300000, number));
    REQUIRE(other.values == std::vector<float>(200000, number));
    if (number > last) ++moved;
    last = number;
  }
  CHECK(moved > 0);
  REQUIRE(file->save(tensors(), -1, {}, silent));
  CHECK(folder.entries() <= 3);  // nothing of the killed ones is left
}

TEST_CASE("a save that finds no room leaves the checkpoint as it was") {
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  Progress silent;
  Floats a("a", std::vector<float>(300000, 1));
  REQUIRE(file->save({a.tensor()}, -1, {}, silent));
  const auto before = folder.entries();
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {500000, 500000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    a.values.assign(a.values.size(), 2);
    const Status full = file->save({a.tensor()}, -1, {}, silent);
    ::_exit(!full && full.error().code == Code::kIo ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(folder.entries() == before);
  a.values.assign(a.values.size(), 3);
  REQUIRE(file->load({a.tensor()}, -1, silent));
  CHECK(a.values == std::vector<float>(300000, 1));
}

}  // namespace tideline::checkpoint
