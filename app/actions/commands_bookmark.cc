// The actions of bookmarks: places in a graph that can be gone back to. Tested by
// unit/actions/commands_bookmark_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/actions/bookmarks.h"
#include "app/actions/commands.h"
#include "core/base/text.h"
#include "render/model/axis_range.h"
#include "render/model/shown_axis.h"
#include "render/view/clock_curve.h"

namespace tideline::app {
namespace {

constexpr std::string_view kNext = "next";

Result<std::size_t> slot_of(const std::string& word) {
  static_assert(ui::kBookmarks == 9, "a digit is a bookmark");
  if (word.size() == 1 && word.front() >= '1' && word.front() <= '9')
    return static_cast<std::size_t>(word.front() - '1');
  return bad_argument(word, fmt::format("a number from 1 to {}", ui::kBookmarks));
}

Result<std::size_t> kept_slot(const Viewer& viewer, const std::string& word) {
  TIDELINE_TRY(const std::size_t slot, slot_of(word));
  if (viewer.view.bookmarks.at(slot)) return slot;
  return fail(Code::kNotFound, "there is no bookmark {}; expected bookmark.keep {} first", slot + 1,
              slot + 1);
}

ui::Bookmark bookmark_here(Viewer& viewer) {
  ui::Bookmark place;
  place.tab = viewer.view.tab;
  place.memory_axis = viewer.view.memory_axis;
  const render::Scene scene = viewer.graph().snapshot()->scene();
  place.range = *ui::shown_axis(scene, viewer.view).range;
  if (selected_op(viewer)) {
    const TensorId tensor = *viewer.view.selected;
    place.op = tensor.slot == 0 ? std::string(scene.graph->name(tensor.op))
                                : scene.graph->tensor_name(tensor);
  }
  return place;
}

void say_place(Viewer& viewer, std::size_t slot) {
  viewer.session.journal().say(
      ui::MessageKind::kInfo,
      fmt::format("Bookmark {}: {}. The key {} comes back here.", slot + 1,
                  bookmark_text(*viewer.view.bookmarks.at(slot)), slot + 1));
}

Answered keep_place(Viewer& viewer, const Arguments& arguments) {
  auto& bookmarks = viewer.view.bookmarks;
  ui::Bookmark place = bookmark_here(viewer);
  std::size_t slot = 0;
  if (arguments.text(0) == kNext) {
    const auto same = std::find(bookmarks.begin(), bookmarks.end(), place);
    const auto free = same != bookmarks.end()
                          ? same
                          : std::find(bookmarks.begin(), bookmarks.end(), std::nullopt);
    if (free == bookmarks.end()) {
      return fail(Code::kInvalidArgument,
                  "all {} bookmarks are in use; expected bookmark.drop first", ui::kBookmarks);
    }
    slot = static_cast<std::size_t>(free - bookmarks.begin());
  } else {
    TIDELINE_TRY(slot, slot_of(arguments.text(0)));
  }
  bookmarks.at(slot) = std::move(place);
  say_place(viewer, slot);
  return {};
}

Answered put_place(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::size_t slot, slot_of(arguments.text(0)));
  TIDELINE_TRY(ui::Bookmark place, read_place(arguments.text(1)));
  if (arguments.size() > 2) {
    TIDELINE_RETURN_IF_ERROR(find_named(*viewer.graph().snapshot()->shown, arguments.text(2)));
    place.op = arguments.text(2);
  }
  viewer.view.bookmarks.at(slot) = std::move(place);
  return {};
}

// A traced step that is no longer open has no axis: then the levels are shown, all of them.
Answered go_to_place(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::size_t slot, kept_slot(viewer, arguments.text(0)));
  const ui::Bookmark place = *viewer.view.bookmarks.at(slot);
  const render::Scene scene = viewer.graph().snapshot()->scene();
  ui::ViewState& view = viewer.view;
  view.tab = place.tab;
  view.memory_axis = place.memory_axis;
  const bool is_gone =
      (view.memory_axis == ui::AxisKind::kMeasuredTime && scene.measured == nullptr) ||
      (view.memory_axis == ui::AxisKind::kTime && !render::has_clock(scene, view.device));
  if (is_gone) view.memory_axis = ui::AxisKind::kLevel;
  const ui::ShownAxis axis = ui::shown_axis(scene, view);
  *axis.range = is_gone ? ui::AxisRange{} : ui::clamped(place.range, axis.count);
  if (place.op.empty()) {
    view.selected.reset();
    return {};
  }
  TIDELINE_TRY(const TensorId tensor, find_named(*viewer.graph().snapshot()->shown, place.op));
  select(viewer, tensor);
  return *view.selected;
}

Answered forget_place(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::size_t slot, kept_slot(viewer, arguments.text(0)));
  viewer.view.bookmarks.at(slot).reset();
  return {};
}

bool has_bookmarks(const Viewer& viewer) {
  const auto& bookmarks = viewer.view.bookmarks;
  return has_graph(viewer) && std::any_of(bookmarks.begin(), bookmarks.end(),
                                          [](const auto& one) { return one.has_value(); });
}

constexpr std::array kBookmarkTable = {
    for_pages(action("bookmark.keep", "Keep a bookmark", "", "", {text("N|next")},
                     "Keep what is seen and selected now as bookmark 1 to 9, or as the next one.",
                     keep_place, has_graph)),
    for_pages(action("bookmark.go", "Go to a bookmark", "", "", {text("BOOKMARK")},
                     "Show and select what a bookmark keeps.", go_to_place, has_bookmarks)),
    for_pages(action("bookmark.drop", "Forget a bookmark", "", "", {text("BOOKMARK")},
                     "Forget a bookmark.", forget_place, has_bookmarks)),
    for_pages(action("bookmark.put", "Write a bookmark", "", "",
                     {text("BOOKMARK"), text("PLACE"), optional(text("OP"))},
                     "Make a bookmark of a place, as session files keep it: a view, for memory its "
                     "axis, and the first position and how many are seen.",
                     put_place, has_graph)),
};

}  // namespace

constinit const std::span<const Action> kBookmarkActions = kBookmarkTable;

}  // namespace tideline::app
