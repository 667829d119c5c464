#include "core/memory/measured/task_clocks.h"

#include <catch2/catch.hpp>

#include "tests/support/trace_text.h"

namespace tideline {
namespace {

constexpr std::int64_t kUs = 1000;

std::string device(const char* task) {
  return std::string("device /job:") + task + "/device:CPU:0\n";
}
std::string sent(const char* tensor, const char* from, const char* to, const char* times) {
  return std::string("RecvTensor = [64B] edge_7_") + tensor + " from /job:" + from +
         "/device:CPU:0 to /job:" + to + "/device:CPU:0 | " + times + "\n";
}

const char* const kA = "chief/replica:0/task:0";
const char* const kB = "worker/replica:0/task:1";
const char* const kC = "ps/replica:0/task:0";

TEST_CASE("the clock of a task is moved as little as what was sent allows", "[memory]") {
  // a makes x by 10, b has it by 8 of its own clock; b makes y by 9, a has it by 14.
  StepTrace trace = test::read_trace(
      device(kA) + "x = MadeUp() | 6+4\n" + sent("y", kB, kA, "3+11") + device(kB) +
      sent("x", kA, kB, "2+6") + "y = MadeUp(x) | 5+4 | 0:64&7#1 | +64@6 -64@9\n");
  const std::vector<TaskClock> clocks = task_clocks(trace);
  REQUIRE(clocks.size() == 2);
  CHECK(clocks[0].task == "/job:chief/task:0");
  CHECK(clocks[0].added_ns == 0);
  CHECK(clocks[1].task == "/job:worker/task:1");
  CHECK(clocks[1].least_ns == 2 * kUs);
  CHECK(clocks[1].most_ns == 5 * kUs);
  CHECK(clocks[1].added_ns == 2 * kUs);

  const std::int64_t chief = trace.ops[0].start_ns;
  const std::int64_t worker = trace.ops[3].start_ns;
  const std::int64_t record = trace.records[0].at_ns;
  Diagnostics diagnostics;
  put_on_one_clock(trace, diagnostics);
  CHECK(trace.ops[0].start_ns == chief);
  CHECK(trace.ops[3].start_ns == worker + 2 * kUs);
  CHECK(trace.records[0].at_ns == record + 2 * kUs);
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].example ==
        "/job:worker/task:1 by 2 us, to that of /job:chief/task:0 (between 2 us and 5 us is "
        "possible)");
  // Then they agree.
  CHECK(task_clocks(trace)[1].added_ns == 0);
}

TEST_CASE("clocks that agree stay as they are", "[memory]") {
  StepTrace trace =
      test::read_trace(device(kA) + "x = MadeUp() | 6+4\n" + sent("y", kB, kA, "3+20") +
                       device(kB) + sent("x", kA, kB, "2+10") + "y = MadeUp(x) | 15+4\n");
  const std::vector<TaskClock> clocks = task_clocks(trace);
  CHECK(clocks[1].least_ns == -2 * kUs);
  CHECK(clocks[1].most_ns == 4 * kUs);
  CHECK(clocks[1].added_ns == 0);
}

TEST_CASE("tasks that sent each other nothing are compared over others", "[memory]") {
  const std::string text =
      device(kA) + "x = MadeUp() | 6+4\n" + sent("y", kB, kA, "3+20") +      // x by 10, y by 23
      device(kB) + sent("x", kA, kB, "2+9") + "y = MadeUp(x) | 15+4\n" +     // x by 11, y by 19
      sent("z", kC, kB, "2+28") +                                            // z by 30
      device(kC) + sent("y", kB, kC, "10+105") + "z = MadeUp(y) | 120+5\n";  // y by 115, z by 125
  const std::vector<TaskClock> clocks = task_clocks(test::read_trace(text));
  REQUIRE(clocks.size() == 3);
  // To c over b: -(1 + 96) at least, 4 + (30 - 125) at most.
  CHECK(clocks[2].least_ns == -97 * kUs);
  CHECK(clocks[2].most_ns == -91 * kUs);
  CHECK(clocks[2].added_ns == -91 * kUs);
}

TEST_CASE("the clock that counts is of a task that can be compared", "[memory]") {
  // The first task only sends.
  const std::string text = device(kC) + "w = MadeUp() | 1+1\n" + device(kA) +
                           "x = MadeUp() | 6+4\n" + sent("w", kC, kA, "2+1") +
                           sent("y", kB, kA, "3+11") + device(kB) + sent("x", kA, kB, "2+6") +
                           "y = MadeUp(x) | 5+4\n";
  const std::vector<TaskClock> clocks = task_clocks(test::read_trace(text));
  REQUIRE(clocks.size() == 3);
  CHECK_FALSE(clocks[0].least_ns);
  CHECK(clocks[1].is_reference);
  CHECK(clocks[2].added_ns == 2 * kUs);
}

TEST_CASE("a task that only receives keeps its clock, which is said", "[memory]") {
  StepTrace trace =
      test::read_trace(device(kA) + "x = MadeUp() | 6+4\n" + device(kB) + sent("x", kA, kB, "2+1"));
  CHECK_FALSE(task_clocks(trace)[1].least_ns);
  const std::int64_t start = trace.ops[1].start_ns;
  Diagnostics diagnostics;
  put_on_one_clock(trace, diagnostics);
  CHECK(trace.ops[1].start_ns == start);
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].severity == Severity::kNotice);
}

TEST_CASE("a trace of one process has one clock", "[memory]") {
  CHECK(task_clocks(test::read_trace("a = MadeUp() | 1+1\n")).empty());
  CHECK(task_clocks(test::read_trace(device(kA) + "a = MadeUp() | 1+1\n")).empty());
}

}  // namespace
}  // namespace tideline
