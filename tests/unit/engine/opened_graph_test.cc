#include "app/engine/opened_graph.h"

#include <catch2/catch.hpp>

#include "core/base/output_file.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using test::TemporaryFolder;

std::string file_of(const TemporaryFolder& folder, std::string_view text) {
  std::string path = folder.file("g.pb");
  REQUIRE(write_file(path, test::encode_graph(text), true));
  return path;
}

class CancelAt final : public Progress {
 public:
  explicit CancelAt(std::string stage) : stage_(std::move(stage)) {}
  bool report(std::string_view stage, std::int64_t, std::int64_t) override {
    return stage != stage_;
  }

 private:
  std::string stage_;
};

}  // namespace

TEST_CASE("An opened graph knows levels, scopes, sizes and its step", "[session]") {
  const TemporaryFolder folder;
  Progress silent;
  const auto opened = app::open({.graph = {.path = file_of(folder,
                                                           "a = Placeholder() f32[?,64]\n"
                                                           "s/b = Relu(a) f32[?,64]\n"
                                                           "s/t/c = Relu(s/b) f32[?,64]\n")},
                                 .batch_size = 2},
                                silent);
  REQUIRE(opened);
  const app::OpenedGraph& graph = **opened;
  CHECK(graph.file->levels.count() == 3);
  CHECK(graph.summary.vertices == 3);
  REQUIRE(graph.file->scopes.scopes.size() == 3);
  // Three tensors of 2 x 64 x 4 bytes: all in the root, two in s, one in s/t.
  CHECK(graph.scope_bytes == std::vector<Bytes>{1536, 1024, 512});
  REQUIRE(graph.devices.size() == 1);
  CHECK(graph.devices[0]->before.timeline.schedule.size() == 3);
}

TEST_CASE("Other sizes are found without reading the file again", "[session]") {
  const TemporaryFolder folder;
  Progress silent;
  const std::string path = file_of(folder, "a = Placeholder() f32[?,64]\n");
  const auto opened = app::open({.graph = {.path = path}}, silent);
  REQUIRE(opened);
  std::filesystem::remove(path);
  const auto larger = app::resize((*opened)->file, {.batch_size = 3}, nullptr, silent);
  REQUIRE(larger);
  CHECK((*larger)->file == (*opened)->file);
  CHECK((*larger)->scope_bytes[0] == 3 * 256);
  CHECK((*larger)->request.graph.path == path);
}

TEST_CASE("A graph that names one device has one, whatever else has none", "[session]") {
  Diagnostics diagnostics;
  const auto document = test::read_graph(
      "a = Relu() @/device:CPU:0 f32[1]\n"
      "b = Relu() f32[1]\n"
      "c = Relu() @/gpu:0 f32[1]\n");
  const auto devices = app::find_devices(document.graph, diagnostics);
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].name == "/gpu:0");
  CHECK_FALSE(devices[0].gpu_device);
  CHECK(diagnostics.entries().empty());
}

TEST_CASE("Several devices are looked at one by one, and what is on none is said", "[session]") {
  Diagnostics diagnostics;
  const auto document = test::read_graph(
      "a = Relu() @/gpu:1 f32[1]\n"
      "b = Relu() f32[1]\n"
      "c = Relu() @/gpu:0 f32[1]\n"
      "d = Relu() @/GPU:1 f32[1]\n");
  const auto devices = app::find_devices(document.graph, diagnostics);
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].gpu_device == "/gpu:1");
  CHECK(devices[1].gpu_device == "/gpu:0");
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].count == 1);
}

TEST_CASE("So many devices that steps for all would take for ever are cut short", "[session]") {
  Diagnostics diagnostics;
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("a{} = Relu() @/gpu:{} f32[1]\n", i, i);
  const auto document = test::read_graph(text);
  CHECK(app::find_devices(document.graph, diagnostics).size() == app::kMostDevices);
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].count == 24);
}

TEST_CASE("Opening can be cancelled, and fails with the path", "[session]") {
  const TemporaryFolder folder;
  const std::string path = file_of(folder, "a = Placeholder() f32[?,64]\n");
  CancelAt cancel("simulating a step");
  const auto stopped = app::open({.graph = {.path = path}}, cancel);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == Code::kCancelled);
  Progress silent;
  const auto missing = app::open({.graph = {.path = path}, .fetches = {"nope"}}, silent);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.starts_with(path));
}

}  // namespace tideline
