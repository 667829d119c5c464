// Problem: which sizes does a simulation not know? Idea: a loop of version 1 is a frame
// (loop_frames.h), named by its Enter ops; one that lost its Enter ops still has the scope
// "while/", by which the reference recognises it; a call such as While is a loop by itself. Tensors
// are those whose bytes were guessed.
// Cost: O(ops + tensors + edges). Source: own. Tested by unit/analysis/unmeasured_test.cc.
#include "core/analysis/unmeasured.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/loop_frames.h"
#include "core/graph/op_types.h"

namespace tideline {
namespace {

constexpr std::string_view kScope = "while/";
constexpr std::array<std::string_view, 3> kCalls = {"While", "StatelessWhile", "For"};

class LoopSearch {
 public:
  LoopSearch(const Graph& graph, const std::vector<bool>& of_step)
      : graph_(graph), of_step_(of_step), frames_(graph) {}

  Result<std::vector<UnmeasuredLoop>> run() {
    for (const OpId op : graph_.ops()) {
      if (!of_step_[op.index()]) continue;
      if (const std::uint32_t frame = frames_.output_frame(op); frame != 0) {
        TIDELINE_RETURN_IF_ERROR(meet_frame(op, frame));
      } else if (is_call(graph_.type(op))) {
        loops_.push_back({std::string(graph_.name(op)), op, 1});
      } else if (frames_.input_frame(op) == 0) {
        meet_scope(op);
      }
    }
    return merged();
  }

 private:
  static bool is_call(std::string_view type) {
    return std::find(kCalls.begin(), kCalls.end(), type) != kCalls.end();
  }

  Status meet_frame(OpId op, std::uint32_t frame) {
    const auto [entry, is_new] = by_frame_.emplace(frame, loops_.size());
    if (is_new) loops_.push_back({"", op, 0});
    UnmeasuredLoop& loop = loops_[entry->second];
    ++loop.ops;
    const std::string_view type = graph_.type(op);
    if (!loop.name.empty() || (type != "Enter" && type != "RefEnter")) return {};
    TIDELINE_TRY(const auto name, graph_.attribute(op, "frame_name"));
    loop.name = name && !name->string.empty() ? name->string : std::string(graph_.name(op));
    return {};
  }

  // A constant of a loop around is led through an Enter of its own that nothing else of that loop
  // need hang on: frames of one name count as one loop.
  std::vector<UnmeasuredLoop> merged() {
    std::map<std::string, UnmeasuredLoop> by_name;
    for (const UnmeasuredLoop& loop : loops_) {
      const auto [entry, is_new] = by_name.emplace(loop.name, loop);
      if (is_new) continue;
      entry->second.first = std::min(entry->second.first, loop.first);
      entry->second.ops += loop.ops;
    }
    std::vector<UnmeasuredLoop> loops;
    for (const auto& [name, loop] : by_name) loops.push_back(loop);
    std::sort(loops.begin(), loops.end(),
              [](const UnmeasuredLoop& a, const UnmeasuredLoop& b) { return a.first < b.first; });
    return loops;
  }

  // By name, or a back edge without a frame.
  void meet_scope(OpId op) {
    const std::string_view name = graph_.name(op);
    const std::size_t at = name.find(kScope);
    std::string scope;
    if (at != std::string_view::npos) {
      scope = name.substr(0, at + kScope.size() - 1);
    } else if (is_next_iteration(graph_.type(op))) {
      scope = name;
    } else {
      return;
    }
    const auto [entry, is_new] = by_scope_.emplace(scope, loops_.size());
    if (is_new) loops_.push_back({scope, op, 0});
    ++loops_[entry->second].ops;
  }

  const Graph& graph_;
  const std::vector<bool>& of_step_;
  LoopFrames frames_;
  std::vector<UnmeasuredLoop> loops_;
  std::map<std::uint32_t, std::size_t> by_frame_;
  std::map<std::string, std::size_t> by_scope_;
};

}  // namespace

Result<Unmeasured> find_unmeasured(const Graph& graph, const TensorTable& tensors,
                                   const std::vector<bool>& of_step) {
  Unmeasured found;
  TIDELINE_TRY(found.loops, LoopSearch(graph, of_step).run());
  for (const OpId op : graph.ops()) {
    if (!of_step[op.index()]) continue;
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      if (tensors.is_unknown({op, slot})) found.tensors.push_back({op, slot});
    }
  }
  return found;
}

}  // namespace tideline
