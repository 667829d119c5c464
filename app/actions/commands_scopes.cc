// The actions of the scopes view. Tested by unit/actions/commands_scopes_test.cc.
#include <algorithm>
#include <array>
#include <utility>

#include "app/actions/color_choices.h"
#include "app/actions/commands.h"
#include "app/actions/enter.h"
#include "app/actions/shown_boxes.h"
#include "core/base/text.h"
#include "render/view/scopes_view.h"

namespace tideline::app {
namespace {

Result<std::uint32_t> find_box(Viewer& viewer, const std::string& path) {
  if (const auto box = shown_boxes(viewer).find(path)) return *box;
  return fail(Code::kNotFound, "there is no scope '{}'; expected the name of one, or of a series",
              printable(path));
}

Answered expand(Viewer& viewer, const Arguments& arguments) {
  const std::array paths = {arguments.text(0)};
  TIDELINE_TRY(viewer.view.boxes.open,
               render::with_open(viewer.graph().snapshot()->scene(), shown_boxes(viewer),
                                 viewer.view.boxes.open, paths));
  return {};
}

Answered collapse(Viewer& viewer, const Arguments& arguments) {
  render::OpenBoxes& open = viewer.view.boxes.open;
  if (arguments.text(0) == "*") {
    open.clear();
    return {};
  }
  TIDELINE_TRY(const std::uint32_t box, find_box(viewer, arguments.text(0)));
  open = render::with_closed(shown_boxes(viewer), std::move(open), box);
  return {};
}

Answered toggle_box(Viewer& viewer, const Arguments& arguments) {
  const render::OpenBoxes& open = viewer.view.boxes.open;
  const bool is_open = std::binary_search(open.begin(), open.end(), arguments.text(0));
  return is_open ? collapse(viewer, arguments) : expand(viewer, arguments);
}

// Instead of an op.
Answered pick(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_RETURN_IF_ERROR(find_box(viewer, arguments.text(0)));
  viewer.view.boxes.picked = arguments.text(0);
  viewer.view.selected.reset();
  return {};
}

Answered color_by(Viewer& viewer, const Arguments& arguments) {
  viewer.view.boxes.color = render::color_by_of(arguments.text(0));
  return {};
}

Answered set_direction(Viewer& viewer, const Arguments& arguments) {
  viewer.view.boxes.is_vertical = arguments.text(0) == "vertical";
  viewer.view.scopes = {};
  return {};
}

Answered trace(Viewer& viewer, const Arguments& arguments) {
  const std::int64_t boxes = arguments.whole(0);
  if (boxes > render::kMostTrace) {
    return bad_argument(std::to_string(boxes),
                        fmt::format("a number from 1 to {}", render::kMostTrace));
  }
  viewer.view.boxes.trace = static_cast<int>(boxes);
  return {};
}

// The box that is marked, by hand or as the selected op.
Result<std::string> marked_path(const Viewer& viewer) {
  const render::ScopesPart& part = viewer.view.boxes;
  if (!part.picked.empty()) return part.picked;
  if (const auto op = selected_op(viewer))
    return std::string(viewer.graph().snapshot()->shown->graph().name(*op));
  return fail(Code::kInvalidArgument,
              "nothing is marked; expected the name of a scope, a series or an op");
}

// Where a box that is not seen would be does not matter: it stands in the flow.
bool is_aside(Viewer& viewer, const std::string& path) {
  const render::Scene scene = viewer.graph().snapshot()->scene();
  const render::ScopeBoxes& boxes = shown_boxes(viewer);
  const render::ScopeLayout layout = render::layout_scopes(scene, boxes, viewer.view.boxes);
  return std::any_of(layout.placed.begin(), layout.placed.end(), [&](const auto& placed) {
    return placed.is_aside && boxes.path(scene, boxes.boxes[placed.box]) == path;
  });
}

Answered put_aside(Viewer& viewer, const Arguments& arguments) {
  const std::string& where = arguments.text(0);
  TIDELINE_TRY(const std::string path,
               arguments.size() > 1 ? Result<std::string>(arguments.text(1)) : marked_path(viewer));
  if (!has_box(viewer, path)) {
    return fail(Code::kNotFound,
                "there is no scope and no op '{}'; expected the name of one, or of a series",
                printable(path));
  }
  render::AsideBoxes& aside = viewer.view.boxes.aside;
  if (where == "auto" || (where == "toggle" && aside.contains(path))) {
    aside.erase(path);
  } else {
    aside[path] = where == "toggle" ? !is_aside(viewer, path) : where == "on";
  }
  return {};
}

bool can_enter(const Viewer& viewer) {
  return has_graph(viewer) && viewer.view.tab == ui::Tab::kScopes;
}

Answered show_loop_of(Viewer& viewer, const Arguments& arguments) {
  if (arguments.empty()) {
    show_loop(viewer, "");
    return {};
  }
  return enter_loop(viewer, arguments.text(0));
}

Answered enter_marked(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string name,
               arguments.empty() ? marked_path(viewer) : Result<std::string>(arguments.text(0)));
  return enter_box(viewer, name, arguments.size() > 1 ? arguments.text(1) : std::string());
}

Answered leave_within(Viewer& viewer, const Arguments& arguments) {
  return arguments.empty() ? leave_one(viewer) : leave_all(viewer);
}

const std::array kScopesTable = {
    for_pages(action("scope.expand", "Open a scope", "", "", {text("NAME")},
                     "Show in the scopes view what is in a scope or a series; * opens all.", expand,
                     has_graph)),
    for_pages(action("scope.collapse", "Close a scope", "", "", {text("NAME")},
                     "Show a scope of the scopes view as one box; * closes all.", collapse,
                     has_graph)),
    for_pages(action("scope.toggle", "Open or close a scope", "", "", {text("NAME")},
                     "Open a scope of the scopes view, or close it.", toggle_box, has_graph)),
    for_pages(action("scope.pick", "Mark a scope", "", "", {text("NAME")},
                     "Mark what flows into a scope of the scopes view, and out of it.", pick,
                     has_graph)),
    for_pages(action("scope.color", "Choose what colours say", "", "", {word(kColorChoices)},
                     "What the colours of the scopes view say.", color_by)),
    for_pages(action(
        "scope.direction", "Choose the direction", "", "", {word("horizontal|vertical")},
        "Whether the scopes view runs from left to right or from top to bottom.", set_direction)),
    for_pages(action("scope.trace", "Set how far flows are marked", "", "",
                     {whole("BOXES", 1, "an integer of at least 1")},
                     "Through so many boxes the scopes view marks what flows into the marked one, "
                     "and out of it.",
                     trace)),
    for_pages(action("scope.aside", "Move a box aside", "", "",
                     {word("on|off|auto|toggle"), optional(text("NAME"))},
                     "Put a scope, a series or an op aside of the flow, back into it, or where it "
                     "stands by itself; without a name the one that is marked.",
                     put_aside, has_graph)),
    for_pages(action("scope.loop", "Show a loop", "", "", {optional(text("NAME"))},
                     "Show in the scopes view only the ops of this while loop, named by its frame "
                     "or one of its ops; without a name the whole graph.",
                     show_loop_of, has_graph)),
    action("scope.enter", "Enter a function or a loop", "View", "Enter",
           {optional(text("NAME")), optional(text("FUNCTION"))},
           "Open the function that an op calls, or show only the loop that it is in; without a "
           "name that of what is marked.",
           enter_marked, can_enter, nullptr, Effect::kSlow),
    action("scope.leave", "Leave the function or the loop", "View", "Backspace",
           {optional(word("all"))},
           "Show what is around the loop, or where the function was entered; all: the whole graph.",
           leave_within, is_within, nullptr, Effect::kSlow),
};

}  // namespace

constinit const std::span<const Action> kScopesActions = kScopesTable;

}  // namespace tideline::app
