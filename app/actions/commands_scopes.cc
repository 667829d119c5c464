// The actions of the scopes view. Tested by unit/actions/commands_scopes_test.cc.
#include <algorithm>
#include <array>
#include <utility>

#include "app/actions/color_choices.h"
#include "app/actions/commands.h"
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
};

}  // namespace

constinit const std::span<const Action> kScopesActions = kScopesTable;

}  // namespace tideline::app
