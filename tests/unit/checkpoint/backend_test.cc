#include "core/checkpoint/backend.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/unit/checkpoint/backends.h"

namespace tideline::checkpoint {
namespace {

// What `work` writes to standard output.
template <typename Work>
std::string printed(const Work& work) {
  const test::TemporaryFolder folder;
  std::fflush(stdout);
  const int before = ::dup(STDOUT_FILENO);
  REQUIRE(std::freopen(folder.file("out").c_str(), "w", stdout) != nullptr);
  work();
  std::fflush(stdout);
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  return test::content_of(folder.file("out"));
}

}  // namespace

TEST_CASE("plugins are loaded once, by whatever name, and never two of one name") {
  const test::TemporaryFolder folder;
  Backends backends;
  REQUIRE(backends.load(TIDELINE_FIRST_CHECKPOINT_PLUGIN));
  REQUIRE(backends.load(TIDELINE_FIRST_CHECKPOINT_PLUGIN));
  std::filesystem::create_symlink(TIDELINE_FIRST_CHECKPOINT_PLUGIN, folder.file("link.so"));
  REQUIRE(backends.load(folder.file("link.so")));
  REQUIRE(backends.facts().size() == 2);
  CHECK(backends.facts()[0].name == "counter");
  CHECK(backends.facts()[0].about == "Counts saves.");
  std::filesystem::copy_file(TIDELINE_FIRST_CHECKPOINT_PLUGIN, folder.file("copy.so"));
  CHECK(backends.load(folder.file("copy.so")).error().message ==
        folder.file("copy.so") + ": backend 'counter' is there already, from " +
            TIDELINE_FIRST_CHECKPOINT_PLUGIN);
  CHECK(backends.facts().size() == 2);
}

TEST_CASE("all plugins of a folder are loaded, and those that cannot be are named") {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink(TIDELINE_MEMORY_PLUGIN,
                                  folder.file("tideline_checkpoint_memory.so"));
  std::filesystem::create_symlink(TIDELINE_DUMMY_PLUGIN,
                                  folder.file("tideline_checkpoint_dummy.so"));
  write(folder.file("tideline_checkpoint_broken.so"), "hello");
  write(folder.file("other.so"), "hello");
  ::setenv("TIDELINE_PLUGINS", folder.file("").c_str(), 1);
  Backends backends;
  const auto problems = backends.find_all();
  ::unsetenv("TIDELINE_PLUGINS");
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems[0].message, Catch::Matchers::Contains("tideline_checkpoint_broken.so"));
  REQUIRE(backends.facts().size() == 2);
  CHECK(backends.facts()[0].name == "dummy");
  CHECK(backends.facts()[1].name == "memory");
  const auto abilities = capability_names(backends.facts()[1].capabilities);
  CHECK(std::find(abilities.begin(), abilities.end(), "saves") != abilities.end());
}

TEST_CASE("what is no plugin, or none there, is refused") {
  const test::TemporaryFolder folder;
  Backends backends;
  CHECK(backends.load(folder.file("none.so")).error().code == Code::kNotFound);
  write(folder.file("text.so"), "hello");
  CHECK(backends.load(folder.file("text.so")).error().code == Code::kUnsupported);
  CHECK(backends.load(TIDELINE_FIRST_DEVICE_PLUGIN).error().message ==
        std::string(TIDELINE_FIRST_DEVICE_PLUGIN) + ": is not a checkpoint plugin of version 1");
  CHECK(backends.open("file", "").error().message ==
        "there is no checkpoint backend 'file'; expected a loaded plugin");
  REQUIRE(backends.load(TIDELINE_FIRST_CHECKPOINT_PLUGIN));
  CHECK(backends.open("file", "").error().message ==
        "there is no checkpoint backend 'file'; expected counter or quiet");
}

TEST_CASE("errors of a backend have its name, a code and a text, whatever it wrote") {
  Backends backends;
  const auto counter =
      opened_backend(backends, TIDELINE_FIRST_CHECKPOINT_PLUGIN, "counter", "good");
  const auto refused = backends.open("counter", "bad");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().message.starts_with("counter: xxxx"));
  Progress silent;
  CHECK(counter->load({}, -1, silent).error().message == "counter: this backend cannot load");
  CHECK(counter->list(-1, silent).error().message == "counter: this backend cannot list");
  CHECK(counter->wait(silent));
  const auto quiet = opened_backend(backends, TIDELINE_FIRST_CHECKPOINT_PLUGIN, "quiet", "good");
  const Status failed = quiet->load({}, -1, silent);
  CHECK(failed.error().message == "quiet: failed with code 42");
  CHECK(failed.error().code == Code::kInternal);
}

TEST_CASE("a call can be cancelled") {
  struct Impatient final : Progress {
    bool report(std::string_view stage, std::int64_t done, std::int64_t) override {
      CHECK(stage == "counting");
      return done < 2;
    }
  } impatient;
  Backends backends;
  const auto counter =
      opened_backend(backends, TIDELINE_FIRST_CHECKPOINT_PLUGIN, "counter", "good");
  Floats a("a", {1});
  const Status stopped =
      counter->save({a.tensor(), a.tensor(), a.tensor(), a.tensor()}, -1, {}, impatient);
  CHECK(stopped.error().code == Code::kCancelled);
  CHECK(stopped.error().message == "counter: stopped at 2");
}

TEST_CASE("the dummy prints what the original prints, and the addresses are ours") {
  Backends backends;
  Floats weights("w", {1, 2, 3});
  Floats none("n", {});
  Progress silent;
  const std::string said = printed([&] {
    const auto dummy = opened_backend(backends, TIDELINE_DUMMY_PLUGIN, "dummy", "");
    REQUIRE(dummy->save({weights.tensor(), none.tensor()}, -1, {}, silent));
    REQUIRE(dummy->load({weights.tensor()}, -1, silent));
  });
  const std::string address = fmt::format("{}", static_cast<void*>(weights.values.data()));
  CHECK(said == "[DUMMY] Initialization, config: \n[DUMMY] Saving 2 tensors:\n  data=" + address +
                    " size=12\n  data=0 size=0\n[DUMMY] Loading 1 tensors:\n  data=" + address +
                    " size=12\n");
}

TEST_CASE("memory keeps tensors by name or by position, and checks them before it writes") {
  Backends backends;
  const auto memory = opened_backend(backends, TIDELINE_MEMORY_PLUGIN, "memory", "here");
  Progress silent;
  Floats a("a", {1, 2});
  Floats b("b", {3, 4});
  CHECK(memory->load({a.tensor()}, -1, silent).error().code == Code::kNotFound);
  REQUIRE(memory->save({a.tensor(), b.tensor()}, -1, {}, silent));
  a.values = {0, 0};
  Floats c("c", {9, 9});
  CHECK_FALSE(memory->load({a.tensor(), c.tensor()}, -1, silent));
  Floats longer("b", {9, 9, 9});
  CHECK_FALSE(memory->load({a.tensor(), longer.tensor()}, -1, silent));
  CHECK(a.values == std::vector<float>{0, 0});
  REQUIRE(memory->load({b.tensor(), a.tensor()}, -1, silent));
  CHECK(a.values == std::vector<float>{1, 2});
  const auto again = backends.open("memory", "here");
  REQUIRE(again);
  Floats first("", {0, 0});
  Floats second("", {0, 0});
  REQUIRE((*again)->load({first.tensor(), second.tensor()}, -1, silent));
  CHECK(second.values == std::vector<float>{3, 4});
  const auto listed = memory->list(-1, silent);
  REQUIRE(listed);
  REQUIRE(listed->size() == 2);
  CHECK((*listed)[1].name == "b");
  CHECK((*listed)[1].bytes == 8);
}

}  // namespace tideline::checkpoint
