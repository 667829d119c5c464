// The actions for selecting, searching and help. Tested by unit/actions/commands_view_test.cc.
#include <algorithm>
#include <array>

#include "app/actions/commands.h"
#include "app/actions/swap_end.h"
#include "core/base/text.h"
#include "render/model/player.h"

namespace tideline::app {
namespace {

// A tensor, or an op that may have no output.
Answered select_name(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const TensorId tensor,
               find_named(*viewer.graph().snapshot()->shown, arguments.text(0)));
  select(viewer, tensor);
  return *viewer.view.selected;
}

// Swapped tensors by the level of their producers, then by tensor: the order of the axis.
std::vector<TensorId> swapped_by_level(const Viewer& viewer) {
  const Snapshot& snapshot = *viewer.graph().snapshot();
  const LevelMap& levels = snapshot.graph->file->levels;
  std::vector<TensorId> tensors;
  for (const PlannedSwap& swap : snapshot.plan().swaps()) tensors.push_back(swap.tensor);
  std::sort(tensors.begin(), tensors.end(), [&](TensorId a, TensorId b) {
    return std::pair(levels.level(a.op), a) < std::pair(levels.level(b.op), b);
  });
  return tensors;
}

// The neighbour of the selection on the axis; from the end one comes to the other end. Whoever sees
// one end of a swap sees the same end of its neighbour.
template <bool is_next>
Answered select_swap(Viewer& viewer, const Arguments&) {
  const std::optional<SwapEnd> end = shown_end(viewer);
  const std::vector<TensorId> tensors = swapped_by_level(viewer);
  const LevelMap& levels = viewer.graph().snapshot()->graph->file->levels;
  const auto place = [&](TensorId tensor) { return std::pair(levels.level(tensor.op), tensor); };
  if (!selected_op(viewer)) {
    select(viewer, is_next ? tensors.front() : tensors.back());
    return *viewer.view.selected;
  }
  const auto here = place(*viewer.view.selected);
  if (is_next) {
    const auto next = std::find_if(tensors.begin(), tensors.end(),
                                   [&](TensorId tensor) { return place(tensor) > here; });
    select(viewer, next == tensors.end() ? tensors.front() : *next);
  } else {
    const auto before = std::find_if(tensors.rbegin(), tensors.rend(),
                                     [&](TensorId tensor) { return place(tensor) < here; });
    select(viewer, before == tensors.rend() ? tensors.back() : *before);
  }
  if (end) show_end(viewer, *end);
  return *viewer.view.selected;
}

template <int kStep>
Answered go(Viewer& viewer, const Arguments&) {
  viewer.view.history_at += static_cast<std::size_t>(kStep);
  viewer.view.selected = viewer.view.history[viewer.view.history_at];
  return *viewer.view.selected;
}

// Escape: what is in front goes first.
Answered clear(Viewer& viewer, const Arguments&) {
  if (viewer.view.popup != ui::Popup::kNone) {
    viewer.view.popup = ui::Popup::kNone;
  } else if (viewer.view.bar_drag) {
    viewer.view.bar_drag->is_taken_back = true;
  } else if (viewer.view.open_side != ui::Side::kNone) {
    viewer.view.open_side = ui::Side::kNone;
  } else if (viewer.view.player) {
    ui::leave_player(viewer.view);
  } else if (viewer.view.levels) {
    viewer.view.levels.reset();
  } else if (viewer.view.stretch && viewer.view.tab == ui::Tab::kTimeline) {
    viewer.view.stretch.reset();
  } else {
    viewer.view.selected.reset();
    viewer.view.boxes.picked.clear();
  }
  return {};
}

Answered select_hit(Viewer& viewer, bool is_first) {
  TIDELINE_TRY(const FoundOps found,
               search_ops(*viewer.graph().snapshot()->shown, viewer.view.search));
  if (found.ops.empty()) {
    return fail(Code::kNotFound, "no op matches '{}'", printable(viewer.view.search));
  }
  OpId hit = found.ops.front();
  if (const auto here = selected_op(viewer); here && !is_first) {
    const auto next = std::upper_bound(found.ops.begin(), found.ops.end(), *here);
    if (next != found.ops.end()) hit = *next;
  }
  select(viewer, {hit, 0});
  return *viewer.view.selected;
}

Answered find(Viewer& viewer, const Arguments& arguments) {
  viewer.view.search = arguments.text(0);
  return select_hit(viewer, true);
}

Answered find_next(Viewer& viewer, const Arguments&) {
  return select_hit(viewer, false);
}

bool has_swaps(const Viewer& viewer) {
  return has_graph(viewer) && !viewer.graph().snapshot()->plan().swaps().empty();
}
bool can_go_back(const Viewer& viewer) {
  return viewer.view.history_at > 0 && viewer.view.history_at < viewer.view.history.size();
}
bool can_go_forward(const Viewer& viewer) {
  return viewer.view.history_at + 1 < viewer.view.history.size();
}
bool has_search(const Viewer& viewer) {
  return has_graph(viewer) && !viewer.view.search.empty();
}

constexpr std::array kSelectTable = {
    for_pages(action("select.op", "Select an op", "", "", {text("NAME")},
                     "Select an op or a tensor.", select_name, has_graph, nullptr, Effect::kReads)),
    for_pages(action("select.next-swap", "Next swap", "View", ".", {},
                     "Select the next swapped tensor; if an end of a swap is shown, show its.",
                     select_swap<true>, has_swaps, nullptr, Effect::kReads)),
    for_pages(action("select.previous-swap", "Previous swap", "View", ",", {},
                     "Select the swapped tensor before; if an end of a swap is shown, show its.",
                     select_swap<false>, has_swaps, nullptr, Effect::kReads)),
    for_pages(action("select.back", "Back", "View", "Alt+Left", {},
                     "Select what was selected before.", go<-1>, can_go_back)),
    for_pages(action("select.forward", "Forward", "View", "Alt+Right", {},
                     "Select what was selected before going back.", go<1>, can_go_forward)),
    for_pages(action(
        "select.clear", "Clear the selection", "View", "Escape", {},
        "Close what is in front, let go of what is dragged, leave the step player, "
        "forget measured levels or the stretch of the timeline, or else clear the selection.",
        clear)),
    for_pages(
        action("search.find", "Find", "", "", {text("TEXT")},
               "Select the first op that fits: part of a name, op:TYPE, scope:PATH, device:TEXT, "
               "phase:NAME, level:A..B, line:FILE:NUMBER, bytes>SIZE.",
               find, has_graph, nullptr, Effect::kReads)),
    for_pages(action("search.open", "Find...", "Edit", "Ctrl+F", {}, "Search for ops.",
                     show_popup<ui::Popup::kSearch>, has_graph)),
    for_pages(action("search.next", "Find next", "Edit", "F3", {}, "Select the next op that fits.",
                     find_next, has_search, nullptr, Effect::kReads)),
    for_pages(action("help.palette", "Command palette", "Help", "Ctrl+Shift+P Ctrl+P", {},
                     "Run any action by its name.", show_popup<ui::Popup::kPalette>)),
    for_pages(Action{
        "help.keys", "Keys", "Help", "? F1", {}, "Show all keys.", show_popup<ui::Popup::kKeys>}),
    for_pages(action("help.messages", "Messages", "Help", "", {}, "Show all messages.",
                     show_popup<ui::Popup::kMessages>)),
    for_pages(action("help.about", "About", "Help", "", {},
                     "Show the version and the libraries used.", show_popup<ui::Popup::kAbout>)),
};

}  // namespace

constinit const std::span<const Action> kSelectActions = kSelectTable;

}  // namespace tideline::app
