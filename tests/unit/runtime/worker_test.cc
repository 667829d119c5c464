#include "core/runtime/worker.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "core/runtime/find_tensorflow.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/runtime/worker_fixture.h"

namespace tideline::runtime {
namespace {

using Catch::Matchers::Contains;
using worker_fixture::kLibrary;
using worker_fixture::started;
using worker_fixture::target;

float number(const TensorValue& value) {
  float result = 0;
  REQUIRE(value.content.size() == sizeof result);
  std::memcpy(&result, value.content.data(), sizeof result);
  return result;
}

// The process is gone, and nobody is left in its group.
bool is_gone(pid_t process) {
  return ::kill(process, 0) != 0 && ::kill(-process, 0) != 0;
}

TEST_CASE("a worker keeps its session from request to request", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  RunRequest request;
  request.fetches = {{"loss", 0}};
  for (const float expected : {1.0F, 2.0F, 3.0F}) {
    const auto answer = worker.run(request, progress);
    REQUIRE(answer);
    REQUIRE(answer->values.size() == 1);
    CHECK(number(answer->values[0]) == expected);
  }
}

TEST_CASE("values arrive as they were sent, whatever their size", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  for (const std::int64_t count : {0, 1, 3, 3'000'000}) {
    TensorValue value{DataType::kInt32, {count}, {}};
    value.content.resize(static_cast<std::size_t>(count) * 4);
    for (std::size_t i = 0; i < value.content.size(); ++i) {
      value.content[i] = static_cast<char>(i * 7);
    }
    RunRequest request;
    request.feeds.emplace_back(TensorName{"x", 0}, value);
    request.fetches = {{"echo", 0}};
    const auto answer = worker.run(request, progress);
    REQUIRE(answer);
    REQUIRE(answer->values.size() == 1);
    CHECK(answer->values[0].type == value.type);
    CHECK(answer->values[0].dims == value.dims);
    CHECK(answer->values[0].content == value.content);
  }
}

TEST_CASE("a trace comes with the run it was asked for", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  RunRequest request = target("train");
  CHECK(worker.run(request, progress)->run_metadata.empty());
  request.trace = true;
  CHECK(worker.run(request, progress)->run_metadata == "a trace");
}

TEST_CASE("what TensorFlow refuses is an answer, and the worker lives on", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  const auto refused = worker.run(target("refuse"), progress);
  REQUIRE(refused);
  CHECK(refused->code == 3);
  CHECK_THAT(refused->message, Contains("not to be"));
  CHECK(worker.run(target("missing op"), progress)->code == 5);
  RunRequest request;
  request.fetches = {{"text", 0}};
  CHECK_THAT(worker.run(request, progress)->message, Contains("string"));
  CHECK(worker.run(target("train"), progress)->code == 0);
}

TEST_CASE("a crash is an error with the signal and the last words", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  const pid_t process = worker.process();
  const auto answer = worker.run(target("abort"), progress);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == Code::kIo);
  CHECK_THAT(answer.error().message, Contains("signal 6 (Aborted)"));
  CHECK_THAT(answer.error().message, Contains("the last words of a library"));
  CHECK(is_gone(process));
  CHECK_THAT(worker.run(target("train"), progress).error().message, Contains("has ended"));
}

TEST_CASE("a worker that ends on its own is an error with its exit code", "[runtime][worker]") {
  Progress progress;
  CHECK_THAT(started().run(target("exit"), progress).error().message, Contains("exit code 41"));
}

TEST_CASE("a worker that dies while a child of it holds the socket is not waited for",
          "[runtime][worker]") {
  Progress progress;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become children of this process
  Worker worker = started();
  const pid_t group = worker.process();
  CHECK_THAT(worker.run(target("orphan"), progress).error().message, Contains("exit code 41"));
  // The child was in the worker's process group, and was ended with it.
  int state = 0;
  REQUIRE(::waitpid(-group, &state, 0) > 0);
  CHECK((WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL));
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_CASE("a worker that stops talking is ended", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  const pid_t process = worker.process();
  CHECK_FALSE(worker.run(target("close the socket"), progress));
  CHECK(is_gone(process));
}

TEST_CASE("hanging and spinning end at the time limit", "[runtime][worker]") {
  const auto name = GENERATE(std::string("hang"), std::string("spin"));
  Progress progress;
  Worker worker = started({.time_limit_s = 0.6});
  const pid_t process = worker.process();
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = worker.run(target(name), progress);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  REQUIRE_FALSE(answer);
  CHECK_THAT(answer.error().message, Contains("time limit of 0.6 s"));
  CHECK(took.count() < 3);
  CHECK(is_gone(process));
}

// AddressSanitizer reserves terabytes of address space: under it there is no such case.
#if defined(__has_feature)
#define TIDELINE_HAS_ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define TIDELINE_HAS_ASAN 1
#else
#define TIDELINE_HAS_ASAN 0
#endif
#if !TIDELINE_HAS_ASAN
TEST_CASE("a memory limit ends what asks for more", "[runtime][worker]") {
  Progress progress;
  const WorkerOptions options{.memory_limit = Bytes{1} << 29U};
  const auto answer = started(options).run(target("allocate"), progress);
  // Our own handler turns what the library throws into an answer.
  REQUIRE(answer);
  CHECK(answer->code == Answer::kWorkerError);
  CHECK_THAT(answer->message, Contains("out of memory"));
  CHECK(started(options).run(target("allocate and catch"), progress)->code == 8);
}
#endif

class Impatient final : public Progress {
 public:
  bool report(std::string_view, std::int64_t, std::int64_t) override { return ++asked_ < 4; }

 private:
  int asked_ = 0;
};

TEST_CASE("a cancelled request leaves no process", "[runtime][worker]") {
  Worker worker = started();
  const pid_t process = worker.process();
  Impatient progress;
  CHECK(worker.run(target("hang"), progress).error().code == Code::kCancelled);
  CHECK(is_gone(process));
}

TEST_CASE("a worker goes with the object that stands for it", "[runtime][worker]") {
  pid_t process = -1;
  {
    const Worker worker = started();
    process = worker.process();
    CHECK_FALSE(is_gone(process));
  }
  CHECK(is_gone(process));
}

TEST_CASE("a worker that prints more than a pipe holds goes on", "[runtime][worker]") {
  Progress progress;
  Worker worker = started();
  CHECK(worker.run(target("chatter"), progress));
  CHECK(worker.run(target("train"), progress));
  CHECK(worker.last_words().size() <= 2048);
  CHECK_THAT(worker.last_words(), Contains("line 9999"));
}

TEST_CASE("a library that is none is named", "[runtime][worker]") {
  Progress progress;
  auto worker = Worker::start({});
  REQUIRE(worker);
  LoadRequest request;
  request.library = std::string(TIDELINE_SOURCE_DIR) + "/README.md";
  const auto answer = worker->load(request, progress);
  REQUIRE(answer);
  CHECK(answer->code == Answer::kWorkerError);
  CHECK_THAT(answer->message, Contains("README.md"));
}

TEST_CASE("libraries with ops are loaded before the graph, and one that is missing is named",
          "[runtime][worker]") {
  Progress progress;
  auto worker = Worker::start({});
  REQUIRE(worker);
  LoadRequest request;
  request.library = kLibrary;
  request.graph = "broken";
  request.op_libraries = {"ops.so", "missing.so"};
  CHECK(worker->load(request, progress)->message == "op library: cannot open it");
  request.op_libraries.pop_back();
  CHECK(worker->load(request, progress)->message == "no graph");
}

TEST_CASE("a graph that cannot be imported is refused with the library's words",
          "[runtime][worker]") {
  Progress progress;
  auto worker = Worker::start({});
  REQUIRE(worker);
  LoadRequest request;
  request.library = kLibrary;
  request.graph = "broken";
  CHECK(worker->load(request, progress)->message == "no graph");
}

TEST_CASE("a worker that may not write makes no file, whatever its library tries",
          "[runtime][worker]") {
  const tideline::test::TemporaryFolder folder;
  Progress progress;
  const auto write_by = [&](bool may_write, const std::string& path) {
    Worker worker = started({.may_write = may_write});
    const auto answer = worker.run(target("write " + path), progress);
    REQUIRE(answer);
    return answer->message;
  };
  CHECK(write_by(true, folder.file("allowed")).empty());
  CHECK(std::filesystem::exists(folder.file("allowed")));
  const std::string refused = write_by(false, folder.file("denied"));
  if (refused.empty()) {
    WARN("the kernel has no Landlock: not tested");
    return;
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("denied")));
  CHECK(write_by(false, "/dev/null").empty());
}

TEST_CASE("a program that cannot be started is an error", "[runtime][worker]") {
  const auto worker = Worker::start({.program = "/no/such/program"});
  REQUIRE_FALSE(worker);
  CHECK_THAT(worker.error().message, Contains("/no/such/program"));
}

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value, 1);
  }
  ~Environment() {
    if (old_) ::setenv(name_, old_->c_str(), 1);
    if (!old_) ::unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST_CASE("TFDIR says where TensorFlow is, and a wrong one is an error", "[runtime][worker]") {
  Progress progress;
  {
    const Environment folder("TFDIR", TIDELINE_FAKE_TENSORFLOW);
    CHECK(find_tensorflow(progress) == kLibrary);
  }
  const Environment folder("TFDIR", TIDELINE_SOURCE_DIR);
  CHECK_THAT(find_tensorflow(progress).error().message, Contains("pip install"));
}

TEST_CASE("a Python without TensorFlow, or none at all, says how to install it",
          "[runtime][worker]") {
  Progress progress;
  const Environment folder("TFDIR", "");
  {
    const Environment python("TIDELINE_TF_PYTHON", "/bin/true");
    CHECK_THAT(find_tensorflow(progress).error().message, Contains("pip install"));
  }
  {
    const Environment python("TIDELINE_TF_PYTHON", "/no/such/python");
    CHECK_THAT(find_tensorflow(progress).error().message, Contains("/no/such/python"));
  }
  const Environment python("TIDELINE_TF_PYTHON", "");
  const Environment path("PATH", "/no/such/folder");
  CHECK_THAT(find_tensorflow(progress).error().message, Contains("no python3 on PATH"));
}

}  // namespace
}  // namespace tideline::runtime
