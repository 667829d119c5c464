// One play of a step, as a template over an observer of its events (see play.cc).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/rewrite/lms2/play.h"

namespace tideline::lms2 {

/// Plays all steps of `player.graph()` once. Observer has the methods
///   allocated(key, tensor, bytes, step)  device memory is allocated for `tensor`
///   freed(key, step)                     it is freed again
///   host(bytes)                          host memory in use has changed
///   ran(step)                            the step is complete
/// where `key` is the index of a tensor or, for a swapped-in copy, the number of tensors + the
/// index of its group. Units: bytes. Uses the buffers of `player`, which with the observer must
/// outlive it. Precondition: the triggers for `parameters.swapin_ahead`, for 1 and for
/// PlayGraph::own_aheads are prepared (Player::prepare). Cost: O(steps + inputs + consumers of
/// swapped tensors). No errors. Thread: the player's.
template <typename Observer>
class PlayRun {
 public:
  PlayRun(Player& player, const SwapParameters& parameters, Observer& observer)
      : player_(player),
        graph_(player.graph_),
        parameters_(parameters),
        observer_(observer),
        first_triggers_(player.triggers_.at(1)),
        triggers_(player.triggers_.at(parameters.swapin_ahead)) {
    player.references_.assign(graph_.tensors.size(), 0);
    player.drains_.assign(graph_.tensors.size(), false);
    player.last_direct_step_.assign(graph_.tensors.size(), kNoIndex);
    player.first_group_.assign(graph_.steps.size(), kNoIndex);
    host_references_.assign(graph_.tensors.size(), 0);
  }

  SearchPrediction run() {
    const auto count = static_cast<std::uint32_t>(graph_.steps.size());
    for (std::uint32_t at = 0; at < count; ++at) {
      const PlayStep& step = graph_.steps[at];
      if (step.level_begins) release_host();
      for (std::uint32_t i = 0; i < step.host_ops_before && !draining_.empty(); ++i) {
        drain();
        release(at);
      }
      if (step.host_ops_before > 0) release_host();
      read_and_write(step, at);
      for (const PlaySwappable& swappable : graph_.swappables_of(step)) swap(swappable, at);
      drain();
      release(at);
      release_host();
      bring_in(at);
      observer_.ran(at);
      observer_.host(host_used_);
    }
    return result_;
  }

 private:
  struct Group {
    std::uint32_t tensor;
    std::int32_t consumers;
    std::int32_t references;  // 0 while it is not there
    std::uint32_t next;       // of the same trigger
  };

  // The group that has brought in what `input` reads; kNoIndex when it reads the tensor itself.
  [[nodiscard]] std::uint32_t group_of(const PlayInput& input) const {
    if (input.consumer == kNoIndex) return kNoIndex;
    const std::uint32_t group = player_.group_of_consumer_[input.consumer];
    return group != kNoIndex && groups_[group].references > 0 ? group : kNoIndex;
  }

  void use(std::uint32_t key, std::uint32_t tensor, std::uint32_t at) {
    const Bytes bytes = graph_.tensors[tensor].bytes;
    used_ += bytes;
    result_.device_peak = std::max(result_.device_peak, used_);
    observer_.allocated(key, tensor, bytes, at);
  }
  void use_tensor(std::uint32_t tensor, std::uint32_t life, std::uint32_t at) {
    player_.references_[tensor] = static_cast<std::int32_t>(life);
    use(tensor, tensor, at);
  }
  void use_group(std::uint32_t index, std::uint32_t at) {
    Group& group = groups_[index];
    group.references = group.consumers;
    use(key_of_group(index), group.tensor, at);
  }
  [[nodiscard]] std::uint32_t key_of_group(std::uint32_t index) const {
    return static_cast<std::uint32_t>(graph_.tensors.size()) + index;
  }

  void read_and_write(const PlayStep& step, std::uint32_t at) {
    for (const PlayInput& input : graph_.inputs_of(step)) {
      if (group_of(input) != kNoIndex || player_.references_[input.tensor] > 0) continue;
      use_tensor(input.tensor, graph_.tensors[input.tensor].consumers, at);
      if (player_.drains_[input.tensor]) draining_.push_back(input.tensor);
    }
    for (const std::uint32_t tensor : graph_.outputs_of(step)) {
      use_tensor(tensor, graph_.tensors[tensor].device_consumers, at);
    }
    for (const PlayInput& input : graph_.inputs_of(step)) {
      if (const std::uint32_t group = group_of(input); group != kNoIndex) {
        if (--groups_[group].references == 0) {
          dead_.push_back({key_of_group(group), input.tensor});
        }
        continue;
      }
      drop(input.tensor);
      if (player_.last_direct_step_[input.tensor] == at) begin_draining(input.tensor);
    }
  }

  void drop(std::uint32_t tensor) {
    if (--player_.references_[tensor] == 0) dead_.push_back({tensor, tensor});
  }

  // Once the last direct reader of a swapped tensor has run, every op removes a reference from it,
  // whether it reads it or not, until it is freed; this also applies if it is allocated again.
  void begin_draining(std::uint32_t tensor) {
    player_.drains_[tensor] = true;
    if (player_.references_[tensor] > 0) draining_.push_back(tensor);
  }
  void drain() {
    std::size_t kept = 0;
    for (const std::uint32_t tensor : draining_) {
      if (player_.references_[tensor] > 0) drop(tensor);
      if (player_.references_[tensor] > 0) draining_[kept++] = tensor;
    }
    draining_.resize(kept);
  }

  // Where the swap-in of a group that `first` leads is triggered; kNoIndex or kNeverRuns: nowhere.
  [[nodiscard]] std::uint32_t trigger_of(const PlayConsumer& first, int own_ahead) const {
    const std::int32_t lowest = first.level - first.distance + 1;
    const auto searched = [&](const std::vector<std::uint32_t>& triggers) {
      const std::uint32_t rank = triggers[first.destination];
      if (rank == kNoIndex || graph_.ranks[rank].level < lowest) return kNoIndex;
      return graph_.ranks[rank].step;
    };
    std::uint32_t step = kNoIndex;
    const bool is_own = own_ahead > 0 && parameters_.sync_mode < 2;
    if (parameters_.sync_mode < 2) {
      step = searched(is_own ? player_.triggers_.at(own_ahead) : triggers_);
    }
    if (step == kNoIndex) step = first.last_input_step;
    const bool is_first = (is_own ? own_ahead : parameters_.swapin_ahead) == 1;
    if (step == kNoIndex && !is_first) step = searched(first_triggers_);
    return step;
  }

  void swap(const PlaySwappable& swappable, std::uint32_t at) {
    const auto consumers = graph_.consumers_of(swappable);
    std::int32_t destinations = 0;
    std::uint32_t group_count = 0;
    std::int32_t last_level = 0;
    std::int32_t direct_level = -1;
    std::uint32_t direct_step = kNoIndex;
    for (std::uint32_t i = 0; i < consumers.size(); ++i) {
      const PlayConsumer& consumer = consumers[i];
      std::uint32_t& group = player_.group_of_consumer_[swappable.first_consumer + i];
      group = kNoIndex;
      if (!consumer.may_swap ||
          (consumer.distance <= parameters_.swapout_threshold &&
           (!consumer.is_forced || parameters_.swapout_threshold == kNoSwaps))) {
        if (consumer.counts && consumer.level > direct_level) {
          direct_level = consumer.level;
          direct_step = consumer.step;
        }
        continue;
      }
      const int groupby = parameters_.swapin_groupby;
      if (group_count == 0 || groupby <= 0 || consumer.level - last_level > groupby) {
        begin_group(swappable, consumer, at);
        ++group_count;
      }
      last_level = consumer.level;
      group = static_cast<std::uint32_t>(groups_.size()) - 1;
      ++groups_.back().consumers;
      ++destinations;
    }
    if (group_count == 0) return;
    leave(swappable.tensor, destinations, direct_level < 0 ? graph_.steps[at].level : direct_level,
          direct_step);
    const Bytes bytes = graph_.tensors[swappable.tensor].bytes;
    host_references_[swappable.tensor] = group_count;
    host_used_ += bytes;
    result_.host_peak = std::max(result_.host_peak, host_used_);
    observer_.host(host_used_);
    ++result_.swapped_out_tensors;
    result_.swap_ins += group_count;
    result_.bytes_out += bytes;
    result_.bytes_in += bytes * group_count;
  }

  // The device copy of a swapped tensor stays for its direct readers. An asynchronous swap-out
  // holds one reference more, unless the readers end with the graph.
  void leave(std::uint32_t tensor, std::int32_t destinations, std::int32_t last_level,
             std::uint32_t last_step) {
    std::int32_t& references = player_.references_[tensor];
    references -= destinations;
    const bool is_synchronous = parameters_.sync_mode % 2 == 1;
    if (!is_synchronous && references > 0 && graph_.levels - last_level > 1) ++references;
    if (references == 0) dead_.push_back({tensor, tensor});
    if (last_step == kNoIndex) {
      begin_draining(tensor);
    } else {
      player_.last_direct_step_[tensor] = last_step;
    }
  }

  void begin_group(const PlaySwappable& swappable, const PlayConsumer& first, std::uint32_t at) {
    Group group{swappable.tensor, 0, 0, kNoIndex};
    const std::uint32_t trigger = trigger_of(first, swappable.own_ahead);
    if (trigger < kNeverRuns && trigger > at) {
      group.next = player_.first_group_[trigger];
      player_.first_group_[trigger] = static_cast<std::uint32_t>(groups_.size());
    }
    groups_.push_back(group);
  }

  void release(std::uint32_t at) {
    for (const auto& [key, tensor] : dead_) {
      used_ -= graph_.tensors[tensor].bytes;
      observer_.freed(key, at);
    }
    dead_.clear();
  }

  void release_host() {
    for (const std::uint32_t tensor : host_dead_) host_used_ -= graph_.tensors[tensor].bytes;
    host_dead_.clear();
  }

  void bring_in(std::uint32_t at) {
    for (std::uint32_t i = player_.first_group_[at]; i != kNoIndex; i = groups_[i].next) {
      use_group(i, at);
      if (--host_references_[groups_[i].tensor] == 0) host_dead_.push_back(groups_[i].tensor);
    }
  }

  struct Dead {
    std::uint32_t key;
    std::uint32_t tensor;
  };

  Player& player_;
  const PlayGraph& graph_;
  SwapParameters parameters_;
  Observer& observer_;
  const std::vector<std::uint32_t>& first_triggers_;
  const std::vector<std::uint32_t>& triggers_;
  SearchPrediction result_;
  Bytes used_ = 0;
  Bytes host_used_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> host_references_;
  std::vector<std::uint32_t> draining_;
  std::vector<Dead> dead_;
  std::vector<std::uint32_t> host_dead_;
};

}  // namespace tideline::lms2
