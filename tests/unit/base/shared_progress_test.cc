#include "core/base/shared_progress.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tideline {
namespace {

class Listens final : public Progress {
 public:
  bool report(std::string_view stage, std::int64_t done, std::int64_t total) override {
    heard.push_back(std::string(stage) + " " + std::to_string(done) + "/" + std::to_string(total));
    return !cancels;
  }
  std::vector<std::string> heard;
  bool cancels = false;
};

}  // namespace

TEST_CASE("the first of the workers that are left is heard, and all are cancelled together") {
  Listens to;
  SharedProgress shared(to);
  std::optional<SharedProgress::Worker> first(shared);
  SharedProgress::Worker second(shared);
  CHECK(first->report("tuning", 1, 9));
  CHECK(second.report("cutting", 0, 1));
  CHECK(first->report("tuning", 2, 9));
  first.reset();
  CHECK(second.report("cutting", 1, 1));
  CHECK(to.heard ==
        std::vector<std::string>{"tuning 1/9", "tuning 1/9", "tuning 2/9", "cutting 1/1"});
  SharedProgress::Worker third(shared);
  to.cancels = true;
  CHECK_FALSE(third.report("a run", 0, 1));
  to.cancels = false;
  CHECK_FALSE(second.report("cutting", 1, 1));
  CHECK(to.heard.size() == 5);
}

TEST_CASE("what is stopped reports nothing") {
  Listens to;
  SharedProgress shared(to);
  SharedProgress::Worker worker(shared);
  shared.stop();
  CHECK_FALSE(worker.report("tuning", 1, 9));
  CHECK(to.heard.empty());
}

}  // namespace tideline
