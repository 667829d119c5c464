// Source: TensorFlow's kernels of stacks and TensorArrays (behaviour only): an element is the
// buffer that was written; what is read leaves the array unless clear_after_read is false; scatter
// and split copy each element, and gradients of an array are an array of their own.
// Limits: two writes to the same element of a gradient's array keep both, instead of their sum.
// Tested by unit/memory/loop_memory_test.cc.
#include "core/memory/container_edges.h"

#include <algorithm>

namespace tideline {

ContainerEdges::ContainerEdges(const StepGraph& step, const WrittenRounds& rounds)
    : step_(step), rounds_(rounds) {
  for (const StepRounds::Use& use : step.rounds->uses) {
    const bool is_used = rounds.runs(use.op) && !step.ops[use.op.index()].only_waits &&
                         (!use.puts || use.value_slot < step.inputs_of(use.op).size());
    if (!is_used) continue;
    Container& container = containers_[use.container];
    (use.puts ? container.puts : container.takes).push_back(use);
  }
  for (auto& [key, container] : containers_) {
    // What is read one by one is read before all that is left.
    std::stable_partition(container.takes.begin(), container.takes.end(),
                          [](const StepRounds::Use& take) { return !take.is_all; });
    for (const StepRounds::Use& put : container.puts) {
      if (put.is_all) make_elements(put, container);
    }
  }
}

// One for each round that takes one.
void ContainerEdges::make_elements(const StepRounds::Use& put, const Container& container) {
  Elements made;
  made.of = step_.inputs_of(put.op)[put.value_slot].tensor;
  made.element = step_.tensors[made.of];
  if (made.element.home == Space::kElsewhere) return;
  made.element.is_pinned = made.element.is_fed = false;
  const auto taker = std::find_if(
      container.takes.begin(), container.takes.end(), [&](const StepRounds::Use& take) {
        return !take.is_all && rounds_.loop_of(take.op) != WrittenRounds::kOutside;
      });
  if (taker == container.takes.end()) {
    made.times = {1};
  } else {
    const std::uint32_t loop = rounds_.loop_of(taker->op);
    // Of a sequence of unknown length the element that is read tells more.
    const StepOp& take = step_.ops[taker->op.index()];
    const Bytes read = take.tensor_count > 0 ? step_.tensors[take.first_tensor].content : 0;
    made.element.content /= rounds_.rounds_in_all(loop);
    if (read > 0) made.element.content = std::min(made.element.content, read);
    made.element.bytes = whole_blocks(made.element.content);
    for (const std::uint32_t round : by_element(taker->op)) {
      made.times.push_back(rounds_.times(loop, round));
    }
  }
  elements_.emplace(put.op, std::move(made));
}

const ContainerEdges::Elements* ContainerEdges::elements(OpId op) const {
  const auto found = elements_.find(op);
  return found == elements_.end() ? nullptr : &found->second;
}

// The rounds in which `op` runs, in the order of the elements that they use.
std::vector<std::uint32_t> ContainerEdges::by_element(OpId op) const {
  std::vector<std::uint32_t> rounds = rounds_.rounds_of(op);
  const std::uint32_t loop = rounds_.loop_of(op);
  if (loop != WrittenRounds::kOutside && step_.rounds->loops[loop].is_backward) {
    std::reverse(rounds.begin(), rounds.end());
  }
  return rounds;
}

void ContainerEdges::connect(const UnrolledStep& made) {
  for (const auto& [key, container] : containers_) {
    std::vector<Lying> lying;
    for (const StepRounds::Use& use : container.puts) put(made, use, lying);
    for (const StepRounds::Use& use : container.takes) take(made, use, lying);
    // TensorFlow keeps no stack that nobody takes from.
    if (container.puts.empty() || container.puts.front().is_stack) continue;
    for (const Lying& element : lying) {
      if (!element.is_gone) kept_.push_back(element.tensor);
    }
  }
  std::stable_sort(edges_.begin(), edges_.end(),
                   [](const ContainerEdge& a, const ContainerEdge& b) { return a.op < b.op; });
}

void ContainerEdges::put(const UnrolledStep& made, const StepRounds::Use& use,
                         std::vector<Lying>& lying) const {
  const std::uint32_t loop = rounds_.loop_of(use.op);
  const std::uint32_t value = step_.inputs_of(use.op)[use.value_slot].tensor;
  if (step_.tensors[value].home == Space::kElsewhere) return;
  for (const std::uint32_t round : by_element(use.op)) {
    if (!use.is_all) {
      lying.push_back({made.tensor_read(rounds_, step_, value, loop, round), loop, round});
      continue;
    }
    const StepOp& written = made.graph.ops[made.at(use.op, round).index()];
    const std::uint32_t outputs = step_.ops[use.op.index()].tensor_count;
    for (std::uint32_t slot = outputs; slot < written.tensor_count; ++slot) {
      lying.push_back({written.first_tensor + slot, loop, round});
    }
  }
}

void ContainerEdges::take(const UnrolledStep& made, const StepRounds::Use& use,
                          std::vector<Lying>& lying) {
  const auto take_out = [&](std::uint32_t round, Lying& element) {
    edges_.push_back({made.at(use.op, round), element.tensor, !use.is_all});
    element.is_gone = element.is_gone || use.clears;
  };
  const std::uint32_t loop = rounds_.loop_of(use.op);
  const std::vector<std::uint32_t> rounds = by_element(use.op);
  if (!use.is_all) {
    for (std::size_t i = 0; i < std::min(rounds.size(), lying.size()); ++i) {
      take_out(rounds[i], lying[i]);
    }
    return;
  }
  for (const std::uint32_t round : rounds) {
    for (Lying& element : lying) {
      const auto within = rounds_.around(loop, element.loop, element.round);
      if (!within || *within == round) take_out(round, element);
    }
  }
}

}  // namespace tideline
