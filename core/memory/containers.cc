// Tested by: tests/unit/memory/measured/executed_step_test.cc.
#include "core/memory/containers.h"

#include <algorithm>

#include "core/analysis/structure/stack_links.h"

namespace tideline {

ContainerUse Containers::use_of(OpId op) const {
  const std::string_view type = graph_.type(op);
  if (facts_.of(graph_, op).kind != OpKind::kContainer) return ContainerUse::kNone;
  const auto is = [&](std::string_view name) { return type.starts_with(name); };
  if (is("StackPush") || is("TensorArrayWrite")) return ContainerUse::kPut;
  if (is("StackPop")) return ContainerUse::kTakeLast;
  if (is("TensorArrayRead")) return ContainerUse::kTakeFirst;
  if (is("TensorArrayGather") || is("TensorArrayConcat") || is("TensorArrayPack") ||
      is("TensorArrayClose") || is("StackClose")) {
    return ContainerUse::kTakeAll;
  }
  return ContainerUse::kNone;
}

std::uint32_t Containers::value_slot(std::string_view type) {
  // handle, value, lengths, flow; handle, value, flow
  if (type.starts_with("TensorArraySplit") || type.starts_with("TensorArrayUnpack")) return 1;
  return type.starts_with("TensorArray") ? 2 : 1;  // handle, index, value, flow; handle, value
}

bool Containers::puts_all(std::string_view type) {
  return type.starts_with("TensorArrayScatter") || type.starts_with("TensorArrayUnpack") ||
         type.starts_with("TensorArraySplit");
}

bool Containers::clears(OpId take) const {
  const std::string_view type = graph_.type(take);
  if (type.starts_with("Stack") || type.starts_with("TensorArrayClose")) return true;
  if (graph_.inputs(take).empty()) return true;
  const OpId maker = behind_views(graph_, facts_, graph_.inputs(take)[0].op);
  if (graph_.type(maker).starts_with("TensorArrayGrad")) return true;
  const auto clear = graph_.attribute(maker, "clear_after_read");
  return !clear || !*clear || (*clear)->boolean;
}

std::vector<std::uint32_t> Containers::take(OpId op, ContainerUse use) {
  std::vector<std::uint32_t> taken;
  const auto found = held_.find(key_of(op));
  if (found == held_.end() || found->second.empty()) return taken;
  std::deque<std::uint32_t>& held = found->second;
  switch (use) {
    case ContainerUse::kTakeAll:
      taken.assign(held.begin(), held.end());
      held.clear();
      break;
    case ContainerUse::kTakeLast:
      taken.push_back(held.back());
      held.pop_back();
      break;
    case ContainerUse::kTakeFirst:
      taken.push_back(held.front());
      held.pop_front();
      break;
    default: break;
  }
  return taken;
}

std::vector<std::uint32_t> Containers::rest() const {
  std::vector<std::uint32_t> all;
  for (const auto& [key, held] : held_) all.insert(all.end(), held.begin(), held.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::uint64_t Containers::key_of(OpId op) const {
  if (graph_.inputs(op).empty()) return op.value;
  OpId maker = behind_views(graph_, facts_, graph_.inputs(op)[0].op);
  std::uint64_t is_gradient = 0;
  if (graph_.type(maker).starts_with("TensorArrayGrad") && !graph_.inputs(maker).empty()) {
    is_gradient = 1;
    maker = behind_views(graph_, facts_, graph_.inputs(maker)[0].op);
  }
  return std::uint64_t{maker.value} * 2 + is_gradient;
}

}  // namespace tideline
