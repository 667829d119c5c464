// The actions of the diff view. Tested by unit/actions/commands_diff_test.cc.
#include <algorithm>
#include <array>
#include <utility>

#include "app/actions/commands.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

constexpr double kMostScrolledRows = 1e9;

Answered compare_sides(Viewer& viewer, const Arguments& arguments) {
  Compared sides{arguments.text(0), arguments.text(1)};
  for (std::string* side : {&sides.before, &sides.after}) {
    if (is_side_word(*side)) continue;
    TIDELINE_TRY(*side, resolved(viewer, *side, PathUse::kRead));
  }
  TIDELINE_RETURN_IF_ERROR(viewer.graph().compare(std::move(sides)));
  viewer.view.diff.scroll_rows = viewer.view.diff.text_scroll_rows = 0;
  return {};
}

Answered compare_with_file(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  if (is_side_word(path)) path.insert(0, "./");
  TIDELINE_RETURN_IF_ERROR(
      viewer.graph().compare({std::string(Compared::kOriginal), std::move(path)}));
  viewer.view.tab = ui::Tab::kDiff;
  return {};
}

Answered remember_graph(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_RETURN_IF_ERROR(viewer.graph().remember(arguments.text(0)));
  return {};
}

bool has_changes(const Viewer& viewer) {
  return viewer.graph().changes().changes != nullptr;
}
const render::GraphChanges& changes_of(const Viewer& viewer) {
  return viewer.graph().shown_changes()->changes;
}

Status check_changed_scope(const Viewer& viewer, const std::string& path) {
  const auto& scopes = changes_of(viewer).scopes;
  const bool is_there = std::any_of(scopes.begin(), scopes.end(),
                                    [&](const auto& scope) { return scope.path == path; });
  if (is_there) return {};
  return fail(Code::kNotFound, "nothing differs in a scope '{}'; expected one with differences",
              printable(path));
}

// Also those around it.
Answered open_rows(Viewer& viewer, const Arguments& arguments) {
  const std::string& path = arguments.text(0);
  std::vector<std::string>& open = viewer.view.diff.open;
  if (path == "*") {
    for (const auto& scope : changes_of(viewer).scopes) open.emplace_back(scope.path);
  } else {
    TIDELINE_RETURN_IF_ERROR(check_changed_scope(viewer, path));
    open.push_back(path);
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      open.push_back(path.substr(0, slash));
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return {};
}

Answered close_rows(Viewer& viewer, const Arguments& arguments) {
  if (arguments.text(0) == "*") {
    viewer.view.diff.open.clear();
    return {};
  }
  TIDELINE_RETURN_IF_ERROR(check_changed_scope(viewer, arguments.text(0)));
  std::erase(viewer.view.diff.open, arguments.text(0));
  return {};
}

Answered toggle_rows(Viewer& viewer, const Arguments& arguments) {
  const auto& open = viewer.view.diff.open;
  const bool is_open = std::binary_search(open.begin(), open.end(), arguments.text(0));
  return is_open ? close_rows(viewer, arguments) : open_rows(viewer, arguments);
}

// In the other views it is selected, too, if the open graph has it.
Answered pick_changed(Viewer& viewer, const Arguments& arguments) {
  const std::string& op = arguments.text(0);
  const ShownChanges& shown = *viewer.graph().shown_changes();
  if (!shown.before.graph->document.graph.find(op).valid() &&
      !shown.after.graph->document.graph.find(op).valid()) {
    return fail(Code::kNotFound, "neither graph has an op '{}'; expected the name of one",
                printable(op));
  }
  viewer.view.diff.op = op;
  viewer.view.diff.text_scroll_rows = 0;
  const OpId here = viewer.graph().snapshot()->shown->graph().find(op);
  if (here.valid()) select(viewer, {here, 0});
  return {};
}

Answered set_overlay(Viewer& viewer, const Arguments& arguments) {
  viewer.view.diff.is_overlay = arguments.is_on(0);
  return {};
}

// The view knows where its lists end.
Answered scroll_rows_by(Viewer& viewer, const Arguments& arguments) {
  render::DiffPart& part = viewer.view.diff;
  double& rows = arguments.text(0) == "tree" ? part.scroll_rows : part.text_scroll_rows;
  rows = std::clamp(rows + arguments.decimal(1), 0.0, kMostScrolledRows);
  return {};
}

const std::array kDiffTable = {
    for_pages(action("diff.of", "Compare two graphs", "", "", {text("BEFORE"), text("AFTER")},
                     "Compare two graphs in the diff view: original, current (what the policy "
                     "makes of it), A, B (remembered), or files.",
                     compare_sides, has_graph, nullptr, Effect::kSlow)),
    action("diff.file-dialog", "Compare with a file...", "File", "", {},
           "Choose a graph to compare the open one with.", show_popup<ui::Popup::kCompareGraph>,
           has_graph),
    for_pages(action("diff.file", "Compare with a file", "", "", {text("FILE")},
                     "Show in the diff view what differs between the open graph and a file.",
                     compare_with_file, has_graph, nullptr, Effect::kSlow)),
    for_pages(action("diff.remember", "Remember the graph", "", "", {word("A|B")},
                     "Remember what the policy makes of the graph now, to be compared later.",
                     remember_graph, has_plan, nullptr, Effect::kReads)),
    for_pages(action("diff.expand", "Open a scope of the diff", "", "", {text("SCOPE")},
                     "List what differs in a scope; * opens all.", open_rows, has_changes)),
    for_pages(action("diff.collapse", "Close a scope of the diff", "", "", {text("SCOPE")},
                     "Show a scope as one row; * closes all.", close_rows, has_changes)),
    for_pages(action("diff.toggle", "Open or close a scope of the diff", "", "", {text("SCOPE")},
                     "Open a scope of the diff view, or close it.", toggle_rows, has_changes)),
    for_pages(action("diff.pick", "Show how an op differs", "", "", {text("OP")},
                     "Show an op in both graphs, line by line.", pick_changed, has_changes)),
    for_pages(action("diff.overlay", "Lay both graphs over each other", "", "", {on_off()},
                     "Draw the levels of both graphs over each other, or on two sides of the axis.",
                     set_overlay)),
    for_pages(action("diff.scroll", "Scroll the diff", "", "",
                     {word("tree|text"), decimal("ROWS", -kMostDecimal, kMostDecimal, "a number")},
                     "Scroll one of the lists of the diff view by so many rows.", scroll_rows_by)),
};

}  // namespace

constinit const std::span<const Action> kDiffActions = kDiffTable;

}  // namespace tideline::app
