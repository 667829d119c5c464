// What stacks and TensorArrays hold while a step runs.
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

/// The values inside the containers of one graph, told apart by what made them. A TensorArray's
/// gradients are a container of their own. The indices of TensorArrays are not known: elements come
/// out in the order in which they went in. Thread: one thread.
class Containers {
 public:
  Containers(const Graph& graph, const OpFactsTable& facts) : graph_(graph), facts_(facts) {}

  [[nodiscard]] ContainerUse use_of(OpId op) const;
  /// The slot of the value that an op with kPut puts in.
  [[nodiscard]] static std::uint32_t value_slot(std::string_view type);
  void put(OpId op, std::uint32_t value) { held_[key_of(op)].push_back(value); }
  /// What comes out.
  [[nodiscard]] std::vector<std::uint32_t> take(OpId op, ContainerUse use);
  /// Everything that is still inside, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> rest() const;

 private:
  [[nodiscard]] std::uint64_t key_of(OpId op) const;

  const Graph& graph_;
  const OpFactsTable& facts_;
  std::unordered_map<std::uint64_t, std::deque<std::uint32_t>> held_;
};

}  // namespace tideline
