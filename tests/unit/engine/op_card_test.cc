#include "app/engine/op_card.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/rewrite/lms/tensor_stretches.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

std::shared_ptr<const app::Snapshot> resnet(const char* rewriter) {
  Progress silent;
  const auto graph = app::open(
      {.graph = {.path = test::graph_file("resnet50.meta").string()}, .batch_size = 16}, silent);
  REQUIRE(graph);
  Policy policy;
  policy.rewriter = rewriter;
  set_value(policy, "swapout-threshold", 100);
  set_value(policy, "swapin-ahead", 30);
  set_value(policy, "swapin-groupby", 615);
  const auto snapshot = app::make_snapshot(*graph, policy, {}, silent);
  REQUIRE(snapshot);
  return *snapshot;
}

// What alive_at_peak says, by the tensor after which a buffer is named: the first one in it.
struct AliveAtPeak {
  explicit AliveAtPeak(const MemoryTimeline& timeline) {
    for (const LiveTensor& entry : timeline.alive_at_peak) alive.insert(entry.tensor);
  }
  [[nodiscard]] bool has_copy_of(const RewritePlan& plan, TensorId tensor) const {
    for (const PlannedSwap& swap : plan.swaps()) {
      if (swap.tensor != tensor) continue;
      for (const PlannedSwapIn& in : swap.swap_ins) {
        if (alive.count({in.copy, 0}) > 0) return true;
      }
    }
    return false;
  }
  std::set<TensorId> alive;
};

}  // namespace

TEST_CASE("what a card says of the peak is what the simulation says, for every tensor of resnet50",
          "[session]") {
  const auto snapshot = resnet("lms2");
  const app::OpenedGraph& opened = *snapshot->graph;
  const FaithfulStep& step = snapshot->devices[0].result();
  const AliveAtPeak peak(step.timeline);
  REQUIRE(snapshot->plan().swaps().size() > 50);
  std::set<TensorId> found;  // of peak.alive
  std::size_t as_copy = 0, only_as_copy = 0;
  for (const OpId op : opened.graph().ops()) {
    for (std::uint32_t slot = 0; slot < opened.tensors.output_count(op); ++slot) {
      const TensorId tensor{op, slot};
      const TensorStretches stretches =
          find_stretches(opened.graph(), opened.file->levels, snapshot->devices[0].original->graph,
                         snapshot->plan().swaps(), step, tensor);
      const bool is_copy_there = peak.has_copy_of(snapshot->plan(), tensor);
      bool is_there = peak.alive.count(tensor) > 0;
      for (const TensorId other : stretches.shared_with) {
        is_there = is_there || peak.alive.count(other) > 0;
      }
      INFO(opened.graph().tensor_name(tensor) << ": " << stretches_text(opened.graph(), stretches));
      REQUIRE(stretches.is_at_peak() == (is_there || is_copy_there));
      as_copy += is_copy_there ? 1 : 0;
      only_as_copy += is_copy_there && !is_there ? 1 : 0;
    }
  }
  CHECK(as_copy > 0);
  CHECK(only_as_copy > 0);
}

TEST_CASE("pool1's card names the copy that is there at the peak", "[session]") {
  const auto snapshot = resnet("lms2");
  const Graph& graph = snapshot->graph->graph();
  for (const PlannedSwap& swap : snapshot->plan().swaps()) {
    const ui::OpCard card = app::op_card(*snapshot, nullptr, swap.tensor.op);
    const std::string& memory = card.outputs.at(swap.tensor.slot).memory;
    INFO(graph.tensor_name(swap.tensor) << ": " << memory);
    CHECK(memory.starts_with("device "));
    // All that reads the copy may be folded.
    const auto at = static_cast<std::size_t>(&swap - snapshot->plan().swaps().data());
    if (snapshot->effects().at(at).is_unread) continue;
    CHECK(memory.find(", host ") != std::string::npos);
    CHECK(memory.rfind(", device ") > memory.find(", host "));
  }
}

}  // namespace tideline
