#include "render/view/compared_memory.h"

#include <catch2/catch.hpp>

#include "core/analysis/levels.h"
#include "tests/support/graph_text.h"

namespace tideline::render {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kOriginal = R"(
  a = MadeUp() f32[1]
  b = MadeUp(a) f32[1]
  c = MadeUp(b) f32[1]
)";
constexpr std::string_view kRewritten = R"(
  a = MadeUp() f32[1]
  out = Identity(a) f32[1]
  b = MadeUp(out) f32[1]
  in = Identity(b) f32[1]
  c = MadeUp(in) f32[1]
)";

// A step in the order of the file, with these bytes.
MemoryTimeline step_of(const Graph& graph, std::vector<Bytes> device) {
  MemoryTimeline timeline;
  for (const OpId op : graph.ops()) timeline.schedule.push_back(op);
  timeline.schedule.resize(device.size());
  timeline.device_peak = *std::max_element(device.begin(), device.end());
  timeline.device = std::move(device);
  return timeline;
}

std::vector<Bytes> values_of(const Curve& curve) {
  std::vector<Bytes> values;
  for (std::int32_t i = 0; i < curve.size(); ++i) values.push_back(curve.at(i));
  return values;
}

}  // namespace

TEST_CASE("Two steps stand over the levels of the second graph, by the names of their ops") {
  const io::Document before = test::read_graph(kOriginal), after = test::read_graph(kRewritten);
  const MemoryTimeline first = step_of(before.graph, {10, 30, 20});
  const MemoryTimeline second = step_of(after.graph, {10, 11, 12, 13, 14});
  const LevelMap levels = complete_levels(after.graph);
  REQUIRE(levels.count() == 5);
  const ComparedMemory memory =
      compare_memory({"original", &first, &before.graph}, {"current", &second, &after.graph},
                     after.graph, "current", levels, 25);
  CHECK(memory.is_by_level);
  CHECK(values_of(memory.layout.before) == std::vector<Bytes>{10, 10, 30, 30, 20});
  CHECK(values_of(memory.layout.after) == std::vector<Bytes>{10, 11, 12, 13, 14});
  CHECK(memory.layout.before_peak == 30);
  CHECK(memory.layout.before_peak_at == 2);
  CHECK(memory.layout.after_peak_at == 4);
  CHECK(memory.budget == 25);
  CHECK(memory.sides.axis == "at the ops of current, by level");
  CHECK(compared_lines(memory, 2.7) ==
        Texts{"level 2, where the same ops run", "original: 30 B", "current: 12 B"});

  // A timeline of a plan has the ids of the original, then those of what is added.
  MemoryTimeline planned = second;
  planned.schedule = {OpId{0}, OpId{3}, OpId{1}, OpId{4}, OpId{2}};
  const ComparedMemory same =
      compare_memory({"original", &first, &before.graph}, {"current", &planned, &before.graph},
                     after.graph, "current", levels, 0);
  CHECK(same.is_by_level);
  // A copy counts for the level that has been reached before it.
  CHECK(values_of(same.layout.after) == std::vector<Bytes>{11, 11, 13, 13, 14});
}

TEST_CASE("Steps of graphs with few names in common are each spread over the whole axis") {
  const io::Document before = test::read_graph(kOriginal);
  const io::Document after = test::read_graph("x = MadeUp() f32[1]\ny = MadeUp(x) f32[1]\n");
  const MemoryTimeline first = step_of(before.graph, {10, 30, 20});
  const MemoryTimeline second = step_of(after.graph, {40, 50});
  const ComparedMemory memory =
      compare_memory({"a", &first, &before.graph}, {"b", &second, &after.graph}, after.graph, "b",
                     complete_levels(after.graph), 0);
  CHECK_FALSE(memory.is_by_level);
  CHECK(memory.layout.count == 1000);
  CHECK(memory.layout.before.at(332) == 10);
  CHECK(memory.layout.before.at(334) == 30);
  CHECK(memory.layout.before.at(999) == 20);
  CHECK(memory.layout.after.at(499) == 40);
  CHECK(memory.layout.after.at(500) == 50);
  CHECK(memory.sides.unit == "% of the step");
  CHECK(compared_lines(memory, 500) == Texts{"50 % of each step", "a: 30 B", "b: 50 B"});
}

TEST_CASE("A graph without a step has no curve, which is said") {
  const io::Document before = test::read_graph(kOriginal), after = test::read_graph(kRewritten);
  const MemoryTimeline step = step_of(after.graph, {10, 11, 12, 13, 14});
  const ComparedMemory memory =
      compare_memory({"original", nullptr, &before.graph}, {"current", &step, &after.graph},
                     after.graph, "current", complete_levels(after.graph), 0);
  CHECK_FALSE(memory.layout.has_after);
  CHECK(memory.layout.before_peak == 14);
  CHECK(memory.sides.before == "current");
  CHECK(memory.sides.missing == "the memory of original is not known");
}

}  // namespace tideline::render
