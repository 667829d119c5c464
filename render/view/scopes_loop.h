// What can be entered in the scopes view: loops of the graph, and functions that ops call.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/structure/loop_names.h"
#include "core/base/error.h"
#include "core/graph/called_functions.h"
#include "render/view/scene.h"

namespace tideline::render {

/// The loop of a name (find_loop), as an index of WhileFrames::frames; WhileFrame::kNone for an
/// empty name, and where there is none.
[[nodiscard]] std::uint32_t loop_of(const Scene& scene, std::string_view name);

/// The whole name of the loop that `name` means. Errors: kNotFound, with the loops that there are.
[[nodiscard]] Result<std::string> loop_called(const Scene& scene, std::string_view name);

/// Which ops are shown: those that run in a loop, or all if there is no such loop.
class ShownOps {
 public:
  ShownOps(const Scene& scene, std::string_view loop);
  [[nodiscard]] bool contains(OpId op) const {
    return loop_ == WhileFrame::kNone ||
           is_loop_within(*loops_, loops_->frame_of[op.index()], loop_);
  }

 private:
  const WhileFrames* loops_ = nullptr;
  std::uint32_t loop_ = WhileFrame::kNone;
};

/// The names of a loop and those around it, the outermost first; none where there is no such loop.
[[nodiscard]] std::vector<std::string> loops_around(const Scene& scene, std::string_view loop);

/// The loop in which an op runs, by its name; empty if it is `shown`, or none.
[[nodiscard]] std::string loop_to_enter(const Scene& scene, std::string_view shown, OpId op);
/// The loops next within `shown` that some ops run in, by their names, in the order of the loops.
[[nodiscard]] std::vector<std::string> loops_to_enter(const Scene& scene, std::string_view shown,
                                                      std::span<const OpId> ops);
/// Whether an op belongs to the loop itself and not to its body: Enter, Merge, Switch, LoopCond,
/// NextIteration and Exit.
[[nodiscard]] bool is_loop_op(const Scene& scene, OpId op);

/// The functions that an op calls (called_functions).
[[nodiscard]] std::vector<CalledFunction> functions_to_enter(const Scene& scene, OpId op);

}  // namespace tideline::render
