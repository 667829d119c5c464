// What the clock of a step looks at, flattened once for all of its runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"

namespace tideline {

/// Lists of numbers, one after the other.
class IndexLists {
 public:
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t list) const {
    return {items_.data() + ends_[list], ends_[list + 1] - ends_[list]};
  }
  void reserve(std::size_t lists, std::size_t items) {
    ends_.reserve(lists + 1);
    items_.reserve(items);
  }
  void add(std::uint32_t item) { items_.push_back(item); }
  void end_list() { ends_.push_back(static_cast<std::uint32_t>(items_.size())); }
  /// Pairs of list and item, in any order; `lists` in all.
  static IndexLists of_pairs(std::size_t lists,
                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);

 private:
  std::vector<std::uint32_t> ends_ = {0};
  std::vector<std::uint32_t> items_;
};

inline constexpr std::uint32_t kNoRoom = 0xffffffffU;

/// Device memory of one content: a buffer from one write in place to the next. Several tensors may
/// lie in it, as aliases.
struct ClockRoom {
  Bytes bytes = 0;
  std::int32_t uses = 0;         ///< ops and copies in that have to end before it is free
  std::int32_t copies_out = 0;   ///< of swaps
  std::uint32_t over = kNoRoom;  ///< the room whose buffer it takes over if no copy out reads that
  std::uint32_t buffer = kNoRoom;  ///< of FaithfulStep::buffers
  TensorId tensor;                 ///< the first one in it
};

/// A copy between host and device.
struct ClockCopy {
  enum class Queue : std::uint8_t {
    kOut,
    kIn,
    kAtOnce,  ///< to the device, but of no swap: takes no time
  };
  std::uint32_t tensor = 0;
  std::uint32_t slot = 0;  ///< of the op that makes it
  Queue queue = Queue::kOut;
  Bytes bytes = 0;
  double ns = 0;
  std::uint32_t room = kNoRoom;  ///< that it fills, or reads; kNoRoom for a resident buffer
  std::uint32_t step = 0;        ///< of the op that makes the tensor
};

/// A step. Ops are known by their step, copies by number of steps + index: these are the nodes.
struct ClockInput {
  struct Op {
    OpId op;
    bool is_on_device = false;
    OpCost cost;  ///< of a device op
    Bytes scratch = 0;
  };
  std::vector<Op> ops;                 ///< by step
  std::vector<ClockCopy> copies;       ///< by step, then slot: of two that become ready at the same
                                       ///< time the first goes first
  std::vector<ClockRoom> rooms;        ///< in the order in which they are taken
  std::vector<std::uint32_t> room_of;  ///< by tensor: on the device; kNoRoom
  IndexLists takes;                    ///< by step: rooms of its outputs
  IndexLists releases;                 ///< by step: a room for each use that ends with the op
  IndexLists swapped_in;               ///< by step: copies of swaps that the op reads, by input
  /// By node: what waits for it. A device op waits for all before it, so these edges are left out.
  IndexLists successors;
  std::vector<std::int32_t> pending;  ///< by node: how many it waits for
  Bytes resident = 0;
  /// Of a traced step of this graph: what it took beside the ops above.
  double rest_ns = 0;
  bool is_as_traced = false;  ///< no plan has changed it since

  /// `step` is of `graph`. Cost: O(ops + edges).
  ClockInput(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs);
};

}  // namespace tideline
