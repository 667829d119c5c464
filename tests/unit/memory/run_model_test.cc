#include "core/memory/run_model.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/graph_facts.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr RunModel kModelled{AsRun::kModelled, Executor::kByDevices};

Executor executor_of(std::string_view text, RunModel run) {
  const io::Document document = test::read_graph(text);
  return with_executor(run, GraphFacts(document.graph)).executor;
}

}  // namespace

TEST_CASE("the executor is that of the devices, unless one is given") {
  const std::string_view plain = "a = MadeUp() f32[4]\n";
  const std::string_view placed = "a = MadeUp() f32[4] @/device:GPU:0\n";
  CHECK(executor_of(plain, kModelled) == Executor::kCpu);
  CHECK(executor_of(placed, kModelled) == Executor::kGpu);
  CHECK(executor_of(placed, {AsRun::kModelled, Executor::kCpu}) == Executor::kCpu);
  // A copy to the host and back.
  CHECK(executor_of("a = MadeUp() f32[4]\n"
                    "lms/swapout_a_0 = Identity(a) f32[4] @/cpu:0\n"
                    "b = MadeUp(a) f32[4]\n"
                    "lms/swapin_a_0 = Identity(lms/swapout_a_0, ^b) f32[4] @/cpu:0\n"
                    "c = MadeUp(lms/swapin_a_0, b) f32[4]\n",
                    kModelled) == Executor::kGpu);
  CHECK(executor_of(placed, kAsInFile) == Executor::kByDevices);
}

TEST_CASE("a step as in the file says nothing of how it runs") {
  CHECK(run_text(kAsInFile).empty());
  CHECK(run_members(kAsInFile).empty());
  CHECK(run_text(kModelled) == "as TensorFlow runs it");
  CHECK(run_text({AsRun::kModelled, Executor::kGpu}) == "as TensorFlow runs it on a GPU");
  CHECK(run_text({AsRun::kExact, Executor::kGpu}) == "exactly as TensorFlow runs it on a GPU");
  const auto members = run_members({AsRun::kModelled, Executor::kCpu});
  REQUIRE(members.size() == 2);
  CHECK(members[0].second == "modelled");
  CHECK(members[1].second == "cpu");
  CHECK(run_members({AsRun::kExact, Executor::kCpu})[0].second == "exact");
}

TEST_CASE("the branches that the user chose are said", "[branch]") {
  const RunModel run{AsRun::kModelled, Executor::kGpu, {{"cond", true}, {"cond_1", false}}};
  CHECK(run_text(run) == "as TensorFlow runs it on a GPU, with cond=true,cond_1=false");
  REQUIRE(run_members(run).size() == 3);
  CHECK(run_members(run)[2].second == "cond=true,cond_1=false");
}

}  // namespace tideline
