#include "core/memory/level_memory.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace tideline {
namespace {

using Levels = std::vector<std::int32_t>;

// Every step changes the memory.
std::vector<Bytes> changing(std::size_t steps) {
  std::vector<Bytes> device;
  for (std::size_t i = 0; i < steps; ++i) device.push_back(static_cast<Bytes>(i + 1));
  return device;
}
Levels rising(const Levels& levels) {
  return rising_levels(levels, changing(levels.size()));
}

std::int64_t distance(const Levels& a, const Levels& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

// The least distance of a sequence that never falls, of all with values 0 to `most`.
std::int64_t least_distance(const Levels& levels, std::int32_t most) {
  std::vector<std::int64_t> best(static_cast<std::size_t>(most) + 1);
  for (const std::int32_t level : levels) {
    std::int64_t least = best[0];
    for (std::int32_t value = 0; value <= most; ++value) {
      auto& entry = best[static_cast<std::size_t>(value)];
      least = std::min(least, entry);
      entry = least + std::abs(value - level);
    }
  }
  return *std::min_element(best.begin(), best.end());
}

}  // namespace

TEST_CASE("levels that do not fall stay; ops that come early or late do not count") {
  CHECK(rising({}).empty());
  CHECK(rising({0, 0, 3, 5}) == Levels{0, 0, 3, 5});
  CHECK(rising({0, 1, 9, 2, 3, 4}) == Levels{0, 1, 2, 2, 3, 4});
  CHECK(rising({0, 5, 6, 7, 1, 8}) == Levels{0, 5, 6, 6, 6, 8});
}

TEST_CASE("only steps that change the memory say which level the step has reached") {
  // Constants of a high level that run first hold nothing.
  const Levels levels = {9, 9, 9, 0, 1, 2};
  CHECK(rising_levels(levels, {100, 100, 100, 110, 120, 130}) == Levels{0, 0, 0, 0, 1, 2});
  CHECK(rising_levels({0, 1, 7, 2, 0, 3}, {1, 2, 2, 3, 3, 4}) == Levels{0, 1, 2, 2, 2, 3});
}

TEST_CASE("no other levels that never fall are nearer to those of the ops") {
  std::mt19937 random(20261127);
  for (int round = 0; round < 300; ++round) {
    Levels levels(1 + random() % 12);
    for (std::int32_t& level : levels) level = static_cast<std::int32_t>(random() % 8);
    const Levels found = rising(levels);
    CHECK(std::is_sorted(found.begin(), found.end()));
    CHECK(distance(found, levels) == least_distance(levels, 7));
  }
}

TEST_CASE("the memory of a level is the most of its steps") {
  MemoryTimeline timeline;
  timeline.level = {0, 1, 4, 1, 2};
  timeline.device = {10, 30, 20, 25, 5};
  timeline.host = {0, 1, 2, 3, 0};
  const std::vector<LevelMemory> levels = memory_by_level(timeline);
  REQUIRE(levels.size() == 3);
  CHECK(levels[0].device == 10);
  CHECK(levels[1].level == 1);
  CHECK(levels[1].device == 30);
  CHECK(levels[1].host == 3);
  CHECK(levels[2].level == 2);
  CHECK(levels[2].device == 5);
}

}  // namespace tideline
