// Tested by unit/memory/folded_step_test.cc.
#include "core/memory/taken_branches.h"

#include <algorithm>
#include <array>

namespace tideline {
namespace {

Bytes made_by(const std::vector<OpId>& ops, const StepGraph& step) {
  Bytes sum = 0;
  for (const OpId op : ops) {
    const StepOp& entry = step.ops[op.index()];
    if (step.file_levels[op.index()] < 0) continue;
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      const StepTensor& tensor = step.tensors[entry.first_tensor + slot];
      if (tensor.home == Space::kDevice) sum = saturating_add(sum, tensor.bytes);
    }
  }
  return sum;
}

}  // namespace

void take_branches(const Folding& folding, StepGraph& step) {
  const std::vector<Conditional>& conditionals = folding.conditionals;
  if (conditionals.empty()) return;
  std::vector<bool> is_dead(step.ops.size());
  std::vector<std::uint8_t> dead_slot(step.ops.size(), 2);  // of a Switch; 2: none
  for (const Conditional& conditional : conditionals) {
    const std::size_t dead =
        made_by(conditional.branches[0], step) > made_by(conditional.branches[1], step) ? 1 : 0;
    for (const OpId op : conditional.branches[dead]) is_dead[op.index()] = true;
    for (const OpId op : conditional.switches) {
      dead_slot[op.index()] = static_cast<std::uint8_t>(dead);
    }
  }
  const auto is_of_dead = [&](const StepInput& input) {
    const OpId producer = step.producer_of[input.tensor];
    const std::uint32_t slot = input.tensor - step.ops[producer.index()].first_tensor;
    return is_dead[producer.index()] || dead_slot[producer.index()] == slot;
  };
  // Copies that a plan added belong to the branch that they read.
  for (std::size_t op = folding.name_rank.size(); op < step.ops.size(); ++op) {
    const auto inputs = step.inputs_of(OpId{static_cast<std::uint32_t>(op)});
    is_dead[op] = std::any_of(inputs.begin(), inputs.end(), is_of_dead);
  }
  for (const Conditional& conditional : conditionals) {
    for (const OpId merge : conditional.merges) {
      StepOp& entry = step.ops[merge.index()];
      const auto inputs = std::span(step.inputs).subspan(entry.first_input, entry.input_count);
      const auto gone = std::remove_if(inputs.begin(), inputs.end(), is_of_dead);
      if (gone == inputs.begin()) continue;  // it is dead, too
      entry.input_count = static_cast<std::uint32_t>(gone - inputs.begin());
    }
  }
  for (std::size_t op = 0; op < is_dead.size(); ++op) {
    if (!is_dead[op]) continue;
    StepOp& entry = step.ops[op];
    entry.input_count = entry.control_count = entry.tensor_count = entry.link_count = 0;
  }
}

}  // namespace tideline
