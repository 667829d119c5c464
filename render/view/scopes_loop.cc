// Tested by unit/view/scopes_loop_test.cc.
#include "render/view/scopes_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace tideline::render {

std::uint32_t loop_of(const Scene& scene, std::string_view name) {
  if (scene.loops == nullptr || name.empty()) return WhileFrame::kNone;
  return find_loop(*scene.graph, *scene.loops, name);
}

Result<std::string> loop_called(const Scene& scene, std::string_view name) {
  constexpr std::size_t kMostListed = 6;
  const WhileFrames none;
  const WhileFrames& loops = scene.loops == nullptr ? none : *scene.loops;
  const std::uint32_t loop = loop_of(scene, name);
  if (loop != WhileFrame::kNone) return loop_name(*scene.graph, loops, loop);
  std::string known;
  for (std::uint32_t i = 0; i < loops.frames.size() && i < kMostListed; ++i) {
    known +=
        fmt::format("{}'{}'", i == 0 ? "" : ", ", printable(loop_name(*scene.graph, loops, i)));
  }
  if (loops.frames.size() > kMostListed)
    known += fmt::format(" and {} more", loops.frames.size() - kMostListed);
  return fail(Code::kNotFound, "there is no loop '{}'; expected {}", printable(name),
              known.empty() ? "a graph with Enter and Exit ops" : "one of " + known);
}

ShownOps::ShownOps(const Scene& scene, std::string_view loop) : loop_(loop_of(scene, loop)) {
  if (loop_ != WhileFrame::kNone) loops_ = scene.loops;
}

std::vector<std::string> loops_around(const Scene& scene, std::string_view loop) {
  std::vector<std::string> names;
  for (std::uint32_t at = loop_of(scene, loop); at != WhileFrame::kNone;
       at = scene.loops->frames[at].parent) {
    names.push_back(loop_name(*scene.graph, *scene.loops, at));
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::string loop_to_enter(const Scene& scene, std::string_view shown, OpId op) {
  if (scene.loops == nullptr) return {};
  const WhileFrames& loops = *scene.loops;
  const std::uint32_t loop = loops.frame_of[op.index()];
  if (loop == WhileFrame::kNone || loop == loop_of(scene, shown)) return {};
  return loop_name(*scene.graph, loops, loop);
}

std::vector<std::string> loops_to_enter(const Scene& scene, std::string_view shown,
                                        std::span<const OpId> ops) {
  std::vector<std::string> names;
  if (scene.loops == nullptr) return names;
  const WhileFrames& loops = *scene.loops;
  if (loops.frames.empty()) return names;
  const std::uint32_t around = loop_of(scene, shown);
  std::vector<bool> is_met(loops.frames.size());
  for (const OpId op : ops) {
    std::uint32_t at = loops.frame_of[op.index()];
    while (at != WhileFrame::kNone && at != around && loops.frames[at].parent != around)
      at = loops.frames[at].parent;
    if (at != WhileFrame::kNone && at != around) is_met[at] = true;
  }
  for (std::uint32_t i = 0; i < is_met.size(); ++i) {
    if (is_met[i]) names.push_back(loop_name(*scene.graph, loops, i));
  }
  return names;
}

bool is_loop_op(const Scene& scene, OpId op) {
  if (scene.loops == nullptr) return false;
  const WhileFrames& loops = *scene.loops;
  const std::uint32_t loop = loops.frame_of[op.index()];
  if (loop == WhileFrame::kNone) return false;
  const WhileFrame& frame = loops.frames[loop];
  const auto has = [&](const std::vector<OpId>& ops) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
  };
  return op == frame.condition || has(frame.enters) || has(frame.merges) || has(frame.switches) ||
         has(frame.next_iterations) || has(frame.exits);
}

std::vector<CalledFunction> functions_to_enter(const Scene& scene, OpId op) {
  if (scene.functions == nullptr) return {};
  return called_functions(*scene.graph, op, *scene.functions);
}

}  // namespace tideline::render
