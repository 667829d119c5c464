// The contents of stacks and TensorArrays during a step.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// What an op does with a container.
enum class ContainerUse : std::uint8_t { kNone, kPut, kTakeLast, kTakeFirst, kTakeAll };

/// The values in the containers of one graph. A container is identified by the op that creates it;
/// the gradients of a TensorArray are a separate container. Indices into TensorArrays are unknown,
/// so elements are taken in the order in which they were put. Thread: not shared.
class Containers {
 public:
  Containers(const Graph& graph, const OpFactsTable& facts) : graph_(graph), facts_(facts) {}

  /// By the type of `op`; kNone for ops that use no container.
  [[nodiscard]] ContainerUse use_of(OpId op) const;
  /// The input slot of the value that an op with kPut adds, or one that puts_all.
  [[nodiscard]] static std::uint32_t value_slot(std::string_view type);
  /// Whether ops of `type` put a whole tensor into a TensorArray, element by element. They have no
  /// use_of.
  [[nodiscard]] static bool puts_all(std::string_view type);
  /// Whether what `take` reads leaves the container.
  [[nodiscard]] bool clears(OpId take) const;
  void put(OpId op, std::uint32_t value) { held_[key_of(op)].push_back(value); }
  /// Removes the values that `op` takes, and returns them.
  [[nodiscard]] std::vector<std::uint32_t> take(OpId op, ContainerUse use);
  /// Which container `op` uses: equal for all ops of one container.
  [[nodiscard]] std::uint64_t container_of(OpId op) const { return key_of(op); }
  /// All values that were not taken, ascending.
  [[nodiscard]] std::vector<std::uint32_t> rest() const;

 private:
  [[nodiscard]] std::uint64_t key_of(OpId op) const;

  const Graph& graph_;
  const OpFactsTable& facts_;
  std::unordered_map<std::uint64_t, std::deque<std::uint32_t>> held_;
};

}  // namespace tideline
