// Apart from the other tests, because AddressSanitizer reserves terabytes of address space.
#include "tests/unit/runtime/worker_fixture.h"

namespace tideline::runtime {
namespace {

using Catch::Matchers::Contains;
using worker_fixture::started;
using worker_fixture::target;

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

}  // namespace
}  // namespace tideline::runtime
