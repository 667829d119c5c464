// Tested by unit/actions/enter_test.cc.
#include "app/actions/enter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/actions/shown_boxes.h"
#include "core/base/text.h"
#include "render/view/scopes_loop.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostEntered = 6;

// "'a', 'b' or 2 others".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  const std::size_t shown = std::min(names.size(), kMostEntered);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i > 0 && i + 1 == names.size();
    text += (i == 0 ? "'" : is_last ? " or '" : ", '") + printable(names[i]) + "'";
  }
  if (shown < names.size()) text += fmt::format(" or {} others", names.size() - shown);
  return text;
}

render::Scene shown_scene(const Viewer& viewer) {
  return viewer.graph().snapshot()->scene();
}

const std::string& shown_function(const Viewer& viewer) {
  return viewer.graph().request().graph.function;
}

// With the sizes of the graph from which it is entered.
Answered open_function(Viewer& viewer, const std::string& function) {
  OpenRequest request;
  request.graph = viewer.graph().request().graph;
  request.graph.function = function;
  TIDELINE_TRY(request.graph.path, resolved(viewer, request.graph.path, PathUse::kRead));
  Wish wish = first_wish(viewer);
  if (!function.empty()) wish.batch_size = viewer.graph().wish().batch_size;
  const DocumentId from = viewer.shown;
  const std::size_t before = viewer.session.documents().size();
  open_graph(viewer, std::move(request), std::move(wish));
  // One that was open already keeps its way back, so that no circle hides the graph of the file.
  if (viewer.session.documents().size() > before && !function.empty())
    viewer.entered_from[viewer.shown] = from;
  return viewer.shown;
}

Answered enter_op(Viewer& viewer, OpId op, const std::string& function) {
  const render::Scene scene = shown_scene(viewer);
  const std::string name = printable(scene.graph->name(op));
  std::vector<std::string> functions;
  for (const CalledFunction& called : render::functions_to_enter(scene, op))
    functions.push_back(called.name);
  if (!function.empty()) {
    const bool is_called =
        std::find(functions.begin(), functions.end(), function) != functions.end();
    if (is_called) return open_function(viewer, function);
    return bad_argument(function, functions.empty()
                                      ? fmt::format("none, as '{}' calls no function", name)
                                      : "a function that it calls: " + listed(functions));
  }
  if (functions.size() == 1) return open_function(viewer, functions.front());
  if (!functions.empty()) {
    return fail(Code::kInvalidArgument, "'{}' calls several functions; expected scope.enter {} {}",
                name, name, listed(functions));
  }
  const std::string loop = render::loop_to_enter(scene, viewer.view.boxes.loop, op);
  if (loop.empty()) {
    return fail(Code::kInvalidArgument,
                "'{}' calls no function of the file and is in no loop that is not shown; expected "
                "an op that does or is",
                name);
  }
  show_loop(viewer, loop);
  return {};
}

}  // namespace

Answered enter_loop(Viewer& viewer, const std::string& name) {
  TIDELINE_TRY(std::string loop, render::loop_called(shown_scene(viewer), name));
  show_loop(viewer, std::move(loop));
  return {};
}

Answered enter_box(Viewer& viewer, const std::string& name, const std::string& function) {
  const render::Scene scene = shown_scene(viewer);
  if (const OpId op = scene.graph->find(name); op.valid()) return enter_op(viewer, op, function);
  const render::ScopeBoxes& boxes = shown_boxes(viewer);
  const auto box = boxes.find(name);
  if (!box || !function.empty()) {
    return fail(Code::kNotFound, "there is no {} '{}'; expected the name of one",
                function.empty() ? "scope and no op" : "op", printable(name));
  }
  const auto loops =
      render::loops_to_enter(scene, viewer.view.boxes.loop, boxes.ops_of(boxes.boxes[*box]));
  if (loops.size() == 1) {
    show_loop(viewer, loops.front());
    return {};
  }
  return fail(
      Code::kInvalidArgument, "'{}' holds {}; expected {}", printable(name),
      loops.empty() ? "no loop that is not shown" : "several loops",
      loops.empty() ? "an op that calls a function, or a loop" : "scope.loop " + listed(loops));
}

bool is_within(const Viewer& viewer) {
  return viewer.graph().snapshot() != nullptr &&
         (!shown_function(viewer).empty() ||
          render::loop_of(shown_scene(viewer), viewer.view.boxes.loop) != WhileFrame::kNone);
}

Answered leave_one(Viewer& viewer) {
  const auto around = render::loops_around(shown_scene(viewer), viewer.view.boxes.loop);
  if (!around.empty()) {
    show_loop(viewer, around.size() > 1 ? around[around.size() - 2] : std::string());
    return {};
  }
  const auto from = viewer.entered_from.find(viewer.shown);
  if (from == viewer.entered_from.end() || viewer.session.find(from->second) == nullptr)
    return open_function(viewer, "");
  show(viewer, from->second);
  return viewer.shown;
}

Answered leave_all(Viewer& viewer) {
  if (!shown_function(viewer).empty()) TIDELINE_RETURN_IF_ERROR(open_function(viewer, ""));
  if (viewer.graph().snapshot()) show_loop(viewer, "");
  return viewer.shown;
}

}  // namespace tideline::app
