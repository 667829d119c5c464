// A graph that was written with a plan, opened again, is compared with the live plan.
#include <catch2/catch.hpp>

#include "app/actions/ui_model.h"
#include "app/engine/apply_plan.h"
#include "app/engine/op_card.h"
#include "app/engine/snapshot.h"
#include "app/engine/swap_rows.h"
#include "core/base/output_file.h"
#include "core/graph/graph_edit.h"
#include "render/model/result_lines.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::Snapshot;
using SnapshotPtr = std::shared_ptr<const Snapshot>;

DeviceProfile slow_profile() {
  DeviceProfile profile;
  profile.memory_bytes_per_s = 1e9;
  profile.to_host = {1e9, 0};
  profile.to_device = {0.25e9, 0};
  return profile;
}

SnapshotPtr snapshot_of(io::Document document, const Policy& policy) {
  Progress silent;
  const auto file = std::make_shared<const app::GraphFile>(
      std::make_shared<const app::ReadGraph>(events::GraphChoice{}, std::move(document)));
  app::OpenRequest request{.batch_size = 100};
  request.run = with_executor(request.run, policy, slow_profile());
  const auto opened = app::resize(file, request, nullptr, silent);
  REQUIRE(opened);
  const auto snapshot = app::make_snapshot(*opened, policy, slow_profile(), silent);
  REQUIRE(snapshot);
  return *snapshot;
}

// Tensors of 4 x 64 floats: 1024 bytes each. `a` is read again four levels later.
constexpr const char* kChain = R"(
  x = Placeholder() f32[4,64]
  a = Relu(x) f32[4,64]
  b = Relu(a) f32[4,64]
  c = Relu(b) f32[4,64]
  d = Relu(c) f32[4,64]
  e = Add(d, a) f32[4,64]
)";

// The live plan, and the file that it gives, without a policy.
struct Both {
  SnapshotPtr live, written;

  explicit Both(io::Document document, int threshold = 2) {
    Policy policy;
    policy.rewriter = "lms2";
    set_value(policy, "swapout-threshold", threshold);
    set_value(policy, "swapin-ahead", 1);
    set_value(policy, "swapin-groupby", 0);
    live = snapshot_of(document, policy);
    written = snapshot_of(file(document), {});
  }
  [[nodiscard]] io::Document file(const io::Document& document) const {
    Progress silent;
    const auto changed = apply(document.graph, live->plan());
    REQUIRE(changed);
    auto reopened = app::reopened(document, *changed, silent);
    REQUIRE(reopened);
    return *std::move(reopened);
  }
};

io::Document tutorial() {
  Progress silent;
  auto document = io::read_document(test::tutorial(), silent);
  REQUIRE(document);
  return *std::move(document);
}

void check_rows(const Both& both) {
  const auto planned = app::swap_rows(*both.live);
  const auto found = app::swap_rows(*both.written);
  REQUIRE(found.size() == planned.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(planned[i].name);
    CHECK(found[i].name == planned[i].name);
    CHECK(found[i].bytes == planned[i].bytes);
    CHECK(found[i].producer_level == planned[i].producer_level);
    CHECK(found[i].out_level == planned[i].out_level);
    CHECK(found[i].in_level == planned[i].in_level);
    CHECK(found[i].consumer_level == planned[i].consumer_level);
    CHECK(found[i].transfer_ns == planned[i].transfer_ns);
    CHECK(found[i].slack_ns == planned[i].slack_ns);
    CHECK(found[i].wait_ns == planned[i].wait_ns);
    CHECK(found[i].at_peak == planned[i].at_peak);
    CHECK(found[i].in_file);
    CHECK_FALSE(planned[i].in_file);
  }
}

}  // namespace

TEST_CASE("A written file opens with its copies as swaps", "[session]") {
  const Both both(test::read_graph(kChain));
  check_rows(both);
  const auto rows = app::swap_rows(*both.written);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].wait_ns == 2048);  // d runs for 2048, the copy for 4096
  CHECK(rows[0].why ==
        "lms/swapout_a_0, an op of this file, copies it to the host, and lms/swapin_a_0 back, "
        "after c");
}

TEST_CASE("A written file of a training step has the swaps, peak and time of its plan",
          "[session]") {
  const Both both(tutorial(), 20);
  REQUIRE(app::swap_rows(*both.live).size() > 10);
  check_rows(both);
  const auto& planned = both.live->devices.front();
  const auto& written = both.written->devices.front();
  CHECK(written.result().timeline.device_peak == planned.result().timeline.device_peak);
  CHECK(written.result().timeline.host_peak == planned.result().timeline.host_peak);
  CHECK(written.timing.after.step_ns() == planned.timing.after.step_ns());
}

TEST_CASE("The border of the passes does not move in a written file", "[session]") {
  const Both both(tutorial(), 20);
  const Graph& graph = both.live->shown->graph();
  for (const OpId op : graph.ops()) {
    INFO(graph.name(op));
    CHECK(both.written->shown->file->phases.of(op) == both.live->shown->file->phases.of(op));
  }
}

TEST_CASE("Where a tensor lies is told of a written file as of its plan", "[session]") {
  const Both both(test::read_graph(kChain));
  const OpId a = test::op(both.live->shown->graph(), "a");
  const ui::OpCard planned = app::op_card(*both.live, nullptr, a);
  const ui::OpCard found = app::op_card(*both.written, nullptr, a);
  REQUIRE(planned.outputs.size() == 1);
  REQUIRE(found.outputs.size() == 1);
  CHECK(found.outputs[0].memory == planned.outputs[0].memory);
  CHECK(found.outputs[0].swapped);
  CHECK(found.outputs[0].why == app::swap_rows(*both.written)[0].why);
}

TEST_CASE("The card of a written file says that copies are in it", "[session]") {
  const Both both(test::read_graph(kChain));
  const test::TemporaryFolder folder;
  const std::string path = folder.file("written.pb");
  const io::Document document = both.file(test::read_graph(kChain));
  REQUIRE(write_file(path, std::string(document.source->bytes()), true));
  test::Desk desk;
  app::open_graph(desk, {.graph = {.path = path}}, {});
  test::settle(desk);
  const ui::UiModel& model = app::make_ui_model(desk);
  REQUIRE(model.scene);
  CHECK(ui::open_state_text(model) == "original graph, 2 copies are in it");
  std::string all;
  for (const ui::ResultLine& line : ui::result_card(model, 0).lines) all += line.text + "\n";
  INFO(all);
  CHECK(all.find("2 copies are in this file\n1 tensor swapped\n2.00 KiB moved a step\n") !=
        std::string::npos);
  CHECK(all.find("host peak 1.00 KiB") != std::string::npos);
  CHECK(all.find("copies to host ") != std::string::npos);
  CHECK(all.find("no swaps") == std::string::npos);
}

TEST_CASE("A policy that leaves a file with swaps as it is shows them", "[session]") {
  const Both both(test::read_graph(kChain));
  Policy policy = both.live->policy;
  const SnapshotPtr again = snapshot_of(both.file(test::read_graph(kChain)), policy);
  CHECK(again->plan().swaps().empty());
  const auto rows = app::swap_rows(*again);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].in_file);
}

}  // namespace tideline
