// Problem: which ops share a frame? Names do not say so reliably. Idea: both ends of every edge are
// in the same frame, and so are inputs and outputs of every op except Enter and Exit; union-find
// merges them. The component that an Enter leads into is a loop, all other components are outside.
// The values of one loop form one component, because they are connected through the loop's
// condition.
// Cost: O((ops + edges) x inverse Ackermann). Source: the frames of "Dynamic Control Flow in
// Large-Scale Machine Learning" (Yu et al. 2018). Tested by unit/analysis/loop_frames_test.cc.
#include "core/analysis/loop_frames.h"

#include <numeric>

namespace tideline {
namespace {

bool enters(std::string_view type) {
  return type == "Enter" || type == "RefEnter";
}
bool exits(std::string_view type) {
  return type == "Exit" || type == "RefExit";
}

class Union {
 public:
  explicit Union(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t at) {
    while (parent_[at] != at) {
      parent_[at] = parent_[parent_[at]];
      at = parent_[at];
    }
    return at;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[a < b ? b : a] = a < b ? a : b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

LoopFrames::LoopFrames(const Graph& graph) {
  std::vector<bool> crosses;  // by type id
  std::vector<bool> is_enter;
  bool any = false;
  for (const std::string_view type : graph.types()) {
    is_enter.push_back(enters(type));
    crosses.push_back(enters(type) || exits(type));
    any = any || enters(type);
  }
  if (!any) return;
  const auto in = [](OpId op) { return 2 * op.value; };
  const auto out = [](OpId op) { return 2 * op.value + 1; };
  Union sides(std::size_t{2} * graph.op_count());
  for (const OpId op : graph.ops()) {
    if (!crosses[graph.type_id(op)]) sides.join(in(op), out(op));
    for (const TensorId input : graph.inputs(op)) sides.join(in(op), out(input.op));
    for (const OpId input : graph.control_inputs(op)) sides.join(in(op), out(input));
  }
  std::vector<bool> is_loop(std::size_t{2} * graph.op_count());
  for (const OpId op : graph.ops()) {
    if (is_enter[graph.type_id(op)]) is_loop[sides.find(out(op))] = true;
  }
  frames_.reserve(std::size_t{2} * graph.op_count());
  for (std::uint32_t side = 0; side < 2 * graph.op_count(); ++side) {
    const std::uint32_t frame = sides.find(side);
    frames_.push_back(is_loop[frame] ? frame + 1 : 0);  // 0 is taken by the outside
  }
}

}  // namespace tideline
