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

Result<std::size_t> slot_of(const std::string& word,
                            std::string_view expected = "a number from 1 to 9") {
  static_assert(ui::kBookmarks == 9, "a digit is a bookmark");
  if (word.size() == 1 && word.front() >= '1' && word.front() <= '9')
    return static_cast<std::size_t>(word.front() - '1');
  return bad_argument(word, expected);
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
  if (place.tab == ui::Tab::kMemory) place.memory_axis = viewer.view.memory_axis;
  const render::Scene scene = viewer.graph().snapshot()->scene();
  const ui::ShownAxis axis = ui::shown_axis(scene, viewer.view);
  // Positions of an axis of time depend on the plan.
  place.range = {axis.range->first / axis.positions(1), axis.range->span / axis.positions(1)};
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
    TIDELINE_TRY(slot, slot_of(arguments.text(0), "a number from 1 to 9, or next"));
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

bool has_axis(const render::Scene& scene, const ui::Bookmark& place, std::uint32_t device) {
  const bool needs_trace =
      place.tab == ui::Tab::kTimeline || place.memory_axis == ui::AxisKind::kMeasuredTime;
  return (!needs_trace || scene.measured != nullptr) &&
         (place.memory_axis != ui::AxisKind::kTime || render::has_clock(scene, device));
}

// Where the axis is gone, as that of a traced step that was closed, all levels are shown.
Answered go_to_place(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::size_t slot, kept_slot(viewer, arguments.text(0)));
  const ui::Bookmark place = *viewer.view.bookmarks.at(slot);
  const render::Scene scene = viewer.graph().snapshot()->scene();
  ui::ViewState& view = viewer.view;
  if (has_axis(scene, place, view.device)) {
    view.tab = place.tab;
    if (place.tab == ui::Tab::kMemory) view.memory_axis = place.memory_axis;
    const ui::ShownAxis axis = ui::shown_axis(scene, view);
    *axis.range = ui::clamped({axis.positions(place.range.first), axis.positions(place.range.span)},
                              axis.count);
  } else {
    view.tab = ui::Tab::kLevels;
    view.axis = {};
  }
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

constexpr std::array kBookmarkTable = {
    for_pages(action("bookmark.keep", "Keep a bookmark", "", "", {text("N|next")},
                     "Keep what is seen and selected now as bookmark 1 to 9, or as the next one.",
                     keep_place, has_graph)),
    for_pages(action("bookmark.go", "Go to a bookmark", "", "", {text("BOOKMARK")},
                     "Show and select what a bookmark keeps.", go_to_place, has_graph)),
    for_pages(action("bookmark.drop", "Forget a bookmark", "", "", {text("BOOKMARK")},
                     "Forget a bookmark.", forget_place, has_graph)),
    for_pages(action("bookmark.put", "Write a bookmark", "", "",
                     {text("BOOKMARK"), text("PLACE"), optional(text("OP"))},
                     "Make a bookmark of a place, as session files keep it: a view, for memory its "
                     "axis, and the first and the last level, step or microsecond.",
                     put_place, has_graph)),
};

}  // namespace

constinit const std::span<const Action> kBookmarkActions = kBookmarkTable;

}  // namespace tideline::app
