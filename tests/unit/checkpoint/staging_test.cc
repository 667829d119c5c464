#include "core/checkpoint/staging.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "core/checkpoint/backend_plugin.h"
#include "core/checkpoint/verify.h"
#include "tests/unit/checkpoint/backends.h"

namespace tideline::checkpoint {
namespace {

// Makes tests/support/fake_device_plugin.c the plugin of devices, of which `failing` fails.
class FakeDevice {
 public:
  explicit FakeDevice(const char* failing = "") {
    ::setenv("TIDELINE_PLUGINS", TIDELINE_FAKE_DEVICE_FOLDER, 1);
    ::setenv("FAKE_DEVICE_FAIL", failing, 1);
  }
  ~FakeDevice() {
    ::unsetenv("TIDELINE_PLUGINS");
    ::unsetenv("FAKE_DEVICE_FAIL");
  }
  FakeDevice(const FakeDevice&) = delete;
  FakeDevice& operator=(const FakeDevice&) = delete;
};

// A tensor whose memory a host must not read: there all bits are flipped.
class OnDevice {
 public:
  OnDevice(std::string name, std::vector<float> values)
      : count_(values.size()), there_(std::move(name), std::move(values)) {
    flip();
  }
  [[nodiscard]] TidelineTensor tensor() {
    TidelineTensor made = there_.tensor();
    made.device_type = TIDELINE_DEVICE_CUDA;
    return made;
  }
  [[nodiscard]] std::vector<float> values() {
    flip();
    std::vector<float> seen = there_.values;
    flip();
    return seen;
  }
  void set(float value) {
    there_.values.assign(count_, value);
    flip();
  }

 private:
  void flip() {
    auto* bytes = reinterpret_cast<unsigned char*>(there_.values.data());
    for (std::size_t i = 0; i < count_ * sizeof(float); ++i) {
      bytes[i] = static_cast<unsigned char>(~bytes[i]);
    }
  }
  std::size_t count_;
  Floats there_;
};

// Keeps bytes by position, and asks for each tensor as the interface has it.
class Asking final : public PluginBackend {
 public:
  static Result<std::unique_ptr<Asking>> open(const char* /*config*/) {
    return std::make_unique<Asking>();
  }
  Status save(Tensors tensors, const PluginCall& call, Progress& /*progress*/) override {
    // In another order than that of the copies.
    for (std::size_t i = tensors.size(); i-- > 0;) {
      CHECK(tensors[i]->device_type == TIDELINE_DEVICE_HOST);
      TIDELINE_RETURN_IF_ERROR(call.ready(i));
      kept_[i].assign(static_cast<const char*>(tensors[i]->data), tensors[i]->bytes);
    }
    return {};
  }
  Status load(Tensors tensors, const PluginCall& call, Progress& /*progress*/) override {
    for (std::size_t i = tensors.size(); i-- > 0;) {
      std::memcpy(tensors[i]->data, kept_[i].data(), kept_[i].size());
      if (i % 2 == 0) {  // the host sends the others off
        TIDELINE_RETURN_IF_ERROR(call.filled(i));
      }
    }
    return {};
  }

 private:
  std::map<std::size_t, std::string> kept_;
};

constexpr TidelineBackend kAsking = backend_table<Asking>(
    "asking", "Asks for each tensor.",
    TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LOADS | TIDELINE_CHECKPOINT_STREAMS);

// Tensors on the host and on the device, saved, changed and loaded.
void round_trips(Backend& backend) {
  Progress silent;
  OnDevice small("small", {1, 2, 3}), large("large", std::vector<float>(100000, 0.5F));
  OnDevice empty("empty", {});
  Floats host("host", {4, 5});
  const auto tensors = [&] {
    return std::vector{small.tensor(), large.tensor(), host.tensor(), empty.tensor()};
  };
  for (int round = 0; round < 3; ++round) {
    large.set(static_cast<float>(round));
    REQUIRE(backend.save(tensors(), -1, {}, silent));
    REQUIRE(backend.wait(silent));
    small.set(-1);
    large.set(-1);
    host.values = {-1, -1};
    REQUIRE(backend.load(tensors(), -1, silent));
    CHECK(large.values() == std::vector<float>(100000, static_cast<float>(round)));
    CHECK(small.values() == std::vector<float>{1, 2, 3});
    CHECK(host.values == std::vector<float>{4, 5});
  }
}

}  // namespace

TEST_CASE("tensors on a device go through pinned memory, whether a backend asks for them or not") {
  const FakeDevice device;
  const test::TemporaryFolder folder;
  Backends backends;
  REQUIRE(backends.add(&kAsking));
  round_trips(**backends.open("asking", ""));
  round_trips(*opened_backend(backends, TIDELINE_MEMORY_PLUGIN, "memory", "staged"));
  round_trips(*opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m")));
  round_trips(*opened_backend(backends, TIDELINE_SAFETENSORS_PLUGIN, "safetensors",
                              folder.file("m.safetensors")));
  round_trips(*opened_backend(backends, TIDELINE_FILE_PLUGIN, "file",
                              R"({"path": ")" + folder.file("i") + R"(", "incremental": true})"));
  Progress silent;
  const auto found = verify(opened(folder.file("m")), silent);
  REQUIRE(found);
  CHECK(found->damages.empty());
}

TEST_CASE("a save in the background keeps copies: the tensors may change at once") {
  const FakeDevice device;
  const test::TemporaryFolder folder;
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file",
                                   R"({"path": ")" + folder.file("m") + R"(", "async": true})");
  Progress silent;
  OnDevice weights("weights", std::vector<float>(500000, 1));
  for (float value = 1; value < 4; ++value) {
    weights.set(value);
    REQUIRE(file->save({weights.tensor()}, -1, {}, silent));
    weights.set(-1);
    REQUIRE(file->load({weights.tensor()}, -1, silent));
    CHECK(weights.values() == std::vector<float>(500000, value));
  }
  REQUIRE(file->wait(silent));
}

TEST_CASE("pinned memory is used again once nobody holds it") {
  const FakeDevice device;
  PinnedAreas areas;
  auto first = areas.take(0, 5000);
  REQUIRE(first);
  CHECK(reinterpret_cast<std::uintptr_t>((*first)->memory) % 4096 == 0);
  auto second = areas.take(0, 10);
  REQUIRE(second);
  CHECK(second->get() != first->get());
  const PinnedArea* again = first->get();
  first->reset();
  CHECK(areas.take(0, 100)->get() == again);
}

TEST_CASE("what fails on the way is said, and nothing is saved") {
  const test::TemporaryFolder folder;
  Progress silent;
  OnDevice weights("weights", {1, 2});
  for (const char* failing : {"open_lane", "pin", "to_host", "finish"}) {
    const FakeDevice device(failing);
    Backends backends;
    const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
    const Status saved = file->save({weights.tensor()}, -1, {}, silent);
    INFO(failing);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message.ends_with(std::string("CUDA driver: ") + failing));
    CHECK_FALSE(std::filesystem::exists(folder.file("m.index")));
  }
  ::setenv("TIDELINE_PLUGINS", folder.file("nowhere").c_str(), 1);
  Backends backends;
  const auto file = opened_backend(backends, TIDELINE_FILE_PLUGIN, "file", folder.file("m"));
  const Status none = file->save({weights.tensor()}, -1, {}, silent);
  CHECK(none.error().code == Code::kNotFound);
  CHECK(
      none.error().message.starts_with("tensors lie on CUDA device 0: there is no tideline_cuda"));
  ::unsetenv("TIDELINE_PLUGINS");
  TidelineTensor other = weights.tensor();
  other.device_type = 10;
  CHECK(file->save({other}, -1, {}, silent).error().message ==
        "tensor 'weights' lies on a device of type 10; expected host or CUDA");
}

}  // namespace tideline::checkpoint
