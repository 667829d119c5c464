// The actions for selecting, searching and help. Tested by unit/session/commands_view_test.cc.
#include <algorithm>
#include <array>

#include "app/session/commands.h"
#include "core/base/text.h"

namespace tideline::session {
namespace {

// A tensor, or an op that may have no output.
Status select_name(App& app, const Arguments& arguments) {
  const OpenedGraph& opened = *app.session.snapshot()->graph;
  const Graph& graph = opened.graph();
  if (const OpId op = graph.find(arguments[0]); op.valid()) {
    select(app, {op, 0});
    return {};
  }
  const auto tensor = find_tensor(graph, opened.tensors, arguments[0]);
  if (!tensor) {
    return fail(Code::kNotFound,
                "there is no op or tensor '{}'; expected a name such as "
                "'conv1/Relu'",
                printable(arguments[0]));
  }
  select(app, *tensor);
  return {};
}

// Swapped tensors by the level of their producers, then by tensor: the order of the axis.
std::vector<TensorId> swapped_by_level(const App& app) {
  const Snapshot& snapshot = *app.session.snapshot();
  const LevelMap& levels = snapshot.graph->file->levels;
  std::vector<TensorId> tensors;
  for (const PlannedSwap& swap : snapshot.plan().swaps) tensors.push_back(swap.tensor);
  std::sort(tensors.begin(), tensors.end(), [&](TensorId a, TensorId b) {
    return std::pair(levels.level(a.op), a) < std::pair(levels.level(b.op), b);
  });
  return tensors;
}

// The neighbour of the selection on the axis; from the end one comes to the other end.
Status select_swap(App& app, bool is_next) {
  const std::vector<TensorId> tensors = swapped_by_level(app);
  const LevelMap& levels = app.session.snapshot()->graph->file->levels;
  const auto place = [&](TensorId tensor) { return std::pair(levels.level(tensor.op), tensor); };
  if (!selected_op(app)) {
    select(app, is_next ? tensors.front() : tensors.back());
    return {};
  }
  const auto here = place(*app.view.selected);
  if (is_next) {
    const auto next = std::find_if(tensors.begin(), tensors.end(),
                                   [&](TensorId tensor) { return place(tensor) > here; });
    select(app, next == tensors.end() ? tensors.front() : *next);
  } else {
    const auto before = std::find_if(tensors.rbegin(), tensors.rend(),
                                     [&](TensorId tensor) { return place(tensor) < here; });
    select(app, before == tensors.rend() ? tensors.back() : *before);
  }
  return {};
}

Status select_next_swap(App& app, const Arguments&) {
  return select_swap(app, true);
}
Status select_previous_swap(App& app, const Arguments&) {
  return select_swap(app, false);
}

Status go_back(App& app, const Arguments&) {
  app.view.selected = app.view.history[--app.view.history_at];
  return {};
}
Status go_forward(App& app, const Arguments&) {
  app.view.selected = app.view.history[++app.view.history_at];
  return {};
}

// Escape: what is in front goes first.
Status clear(App& app, const Arguments&) {
  if (app.view.popup != ui::Popup::kNone) {
    app.view.popup = ui::Popup::kNone;
  } else {
    app.view.selected.reset();
  }
  return {};
}

Status select_hit(App& app, bool is_first) {
  const SearchResult found = search_ops(*app.session.snapshot()->graph, app.view.search);
  if (found.ops.empty()) {
    return fail(Code::kNotFound, "no op matches '{}'", printable(app.view.search));
  }
  OpId hit = found.ops.front();
  if (const auto here = selected_op(app); here && !is_first) {
    const auto next = std::upper_bound(found.ops.begin(), found.ops.end(), *here);
    if (next != found.ops.end()) hit = *next;
  }
  select(app, {hit, 0});
  return {};
}

Status find(App& app, const Arguments& arguments) {
  app.view.search = arguments[0];
  return select_hit(app, true);
}

Status find_next(App& app, const Arguments&) {
  return select_hit(app, false);
}

template <ui::Popup kPopup>
Status show(App& app, const Arguments&) {
  app.view.popup = kPopup;
  return {};
}

bool has_swaps(const App& app) {
  return has_graph(app) && !app.session.snapshot()->plan().swaps.empty();
}
bool can_go_back(const App& app) {
  return app.view.history_at > 0 && app.view.history_at < app.view.history.size();
}
bool can_go_forward(const App& app) {
  return app.view.history_at + 1 < app.view.history.size();
}
bool has_search(const App& app) {
  return has_graph(app) && !app.view.search.empty();
}

constexpr std::array kActions = {
    Action{"select.op", "Select an op", "", "", "NAME", "Select an op or a tensor.", 1, 1,
           select_name, has_graph},
    Action{"select.next-swap", "Next swap", "View", ".", "", "Select the next swapped tensor.", 0,
           0, select_next_swap, has_swaps},
    Action{"select.previous-swap", "Previous swap", "View", ",", "",
           "Select the swapped tensor before.", 0, 0, select_previous_swap, has_swaps},
    Action{"select.back", "Back", "View", "Alt+Left", "", "Select what was selected before.", 0, 0,
           go_back, can_go_back},
    Action{"select.forward", "Forward", "View", "Alt+Right", "",
           "Select what was selected before going back.", 0, 0, go_forward, can_go_forward},
    Action{"select.clear", "Clear the selection", "View", "Escape", "",
           "Close the popup in front, else clear the selection.", 0, 0, clear},
    Action{"search.find", "Find", "", "", "TEXT",
           "Select the first op that fits: part of a name, op:TYPE, scope:PATH, device:TEXT, "
           "phase:NAME, level:A..B, bytes>SIZE.",
           1, 1, find, has_graph},
    Action{"search.open", "Find...", "Edit", "Ctrl+F", "", "Search for ops.", 0, 0,
           show<ui::Popup::kSearch>, has_graph},
    Action{"search.next", "Find next", "Edit", "F3", "", "Select the next op that fits.", 0, 0,
           find_next, has_search},
    Action{"help.palette", "Command palette", "Help", "Ctrl+Shift+P Ctrl+P", "",
           "Run any action by its name.", 0, 0, show<ui::Popup::kPalette>},
    Action{"help.keys", "Keys", "Help", "? F1", "", "Show all keys.", 0, 0, show<ui::Popup::kKeys>},
    Action{"help.messages", "Messages", "Help", "", "", "Show all messages.", 0, 0,
           show<ui::Popup::kMessages>},
    Action{"help.about", "About", "Help", "", "", "Show the version and the libraries used.", 0, 0,
           show<ui::Popup::kAbout>},
};

}  // namespace

std::span<const Action> select_actions() {
  return kActions;
}

}  // namespace tideline::session
