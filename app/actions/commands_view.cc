// The actions that change the view. Tested by unit/actions/commands_view_test.cc.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/actions/commands.h"
#include "app/actions/shown_boxes.h"
#include "app/actions/swap_end.h"
#include "core/memory/measured/trace_lanes.h"
#include "render/model/axis_range.h"
#include "render/model/scopes_look.h"
#include "render/model/shown_axis.h"
#include "render/view/clock_curve.h"
#include "render/view/scopes_loop.h"

namespace tideline::app {
namespace {

constexpr double kLeastSpan = 1;  // levels

bool is_timeline(const Viewer& viewer) {
  return viewer.view.tab == ui::Tab::kTimeline && has_trace(viewer);
}

// Precondition: there is a graph.
ui::ShownAxis axis_of(Viewer& viewer) {
  return ui::shown_axis(viewer.graph().snapshot()->scene(), viewer.view);
}

ui::AxisRange range_of(const ui::ShownAxis& axis) {
  return axis.range->span > 0 ? *axis.range
                              : ui::AxisRange{0, static_cast<double>(std::max(1, axis.count))};
}

// Within the axis, and all of it when nothing is left out.
void show_range(const ui::ShownAxis& axis, double first, double span) {
  const double whole = std::max(1, axis.count);
  span = std::clamp(span, std::min(kLeastSpan, whole), whole);
  first = std::clamp(first, 0.0, whole - span);
  *axis.range = span >= whole ? ui::AxisRange{} : ui::AxisRange{first, span};
}

Answered set_tab(Viewer& viewer, const Arguments& arguments) {
  viewer.view.tab = ui::tab_of(*render::find_view(arguments.text(0)));
  return {};
}

Answered zoom(Viewer& viewer, const Arguments& arguments) {
  const ui::ShownAxis axis = axis_of(viewer);
  const ui::AxisRange range = range_of(axis);
  const double at = arguments.size() > 1
                        ? axis.positions(arguments.decimal(1))
                        : viewer.view.cursor.value_or(range.first + range.span / 2);
  // What lies at `at` stays where it is on the screen.
  const double span = std::max(range.span / arguments.decimal(0), kLeastSpan);
  show_range(axis, at - (at - range.first) * span / range.span, span);
  return {};
}

// "10%" is of what is visible.
Answered pan(Viewer& viewer, const Arguments& arguments) {
  std::string text = arguments.text(0);
  const bool is_share = text.ends_with('%');
  if (is_share) text.pop_back();
  const auto levels = parse_decimal(text);
  if (!levels)
    return bad_argument(arguments.text(0), "a number of levels, or a share such as -10%");
  const ui::ShownAxis axis = axis_of(viewer);
  const ui::AxisRange range = range_of(axis);
  show_range(axis, range.first + (is_share ? *levels / 100 * range.span : axis.positions(*levels)),
             range.span);
  return {};
}

Answered set_range(Viewer& viewer, const Arguments& arguments) {
  const double first = arguments.decimal(0), last = arguments.decimal(1);
  if (last < first) {
    return bad_argument(fmt::format("{}", last), "a level not before the first");
  }
  const ui::ShownAxis axis = axis_of(viewer);
  const double from = axis.positions(first);
  if (from >= axis.count) {
    const double most = (axis.count - 1) / axis.positions(1);
    return bad_argument(fmt::format("{}", first),
                        fmt::format("a first of at most {:g}, the last there is", most));
  }
  show_range(axis, from, axis.positions(last) - from + 1);
  return {};
}

Answered set_rows(Viewer& viewer, const Arguments& arguments) {
  viewer.view.y_zoom = arguments.decimal(0);
  viewer.view.y_scroll_share = arguments.size() > 1 ? arguments.decimal(1) : 0;
  return {};
}

Answered fit(Viewer& viewer, const Arguments&) {
  *axis_of(viewer).range = {};
  viewer.view.y_scroll_px = 0;
  viewer.view.y_scroll_share.reset();
  viewer.view.y_zoom = 1;
  viewer.view.trace_scroll_px = 0;
  viewer.view.boxes.y_0_1 = 0.5;
  return {};
}

// The box that is marked; of an op, all around it is opened.
Answered fit_box(Viewer& viewer) {
  const render::Scene scene = viewer.graph().snapshot()->scene();
  render::ScopesPart& part = viewer.view.boxes;
  const auto selected = selected_op(viewer);
  if (selected && !render::ShownOps(scene, part.loop).contains(*selected)) show_loop(viewer, "");
  const render::ScopeBoxes& boxes = shown_boxes(viewer);
  if (const auto op = selected) {
    const auto is_it = [&](const render::ScopeBox& box) {
      return !box.can_open() && box.name == op->value;
    };
    const auto box = std::find_if(boxes.boxes.begin(), boxes.boxes.end(), is_it);
    part.open = render::with_open(scene, boxes, std::move(part.open), box->parent);
  }
  const render::ScopeLayout layout = render::layout_scopes(scene, boxes, part);
  ui::set_camera(viewer.view,
                 render::camera_on(
                     layout, render::marked_box(boxes, layout, part.picked, viewer.view.selected)));
  return {};
}

// The stretch of the timeline that was chosen, else the first execution of the op.
Answered fit_stretch(Viewer& viewer) {
  const render::Scene scene = viewer.graph().snapshot()->scene();
  const ui::ShownAxis axis = axis_of(viewer);
  std::optional<ui::TimeStretch> stretch = viewer.view.stretch;
  if (!stretch) {
    const LanedTrace laned = lay_out_trace(*scene.graph, scene.measured->trace);
    const OpId op = *selected_op(viewer);
    for (const ZoneLane& lane : laned.lanes) {
      for (const auto& track : lane.tracks) {
        for (const TraceZone& zone : track) {
          const double from = static_cast<double>(zone.from_ns) / 1000;
          if (zone.op != op || (stretch && stretch->from_us <= from)) continue;
          stretch = ui::TimeStretch{from, static_cast<double>(zone.to_ns) / 1000};
        }
      }
    }
  }
  if (!stretch) return {};  // the op did not run
  const double margin = std::max(2.0, (stretch->to_us - stretch->from_us) * 0.1);
  show_range(axis, stretch->from_us - margin, stretch->to_us - stretch->from_us + 2 * margin);
  return {};
}

// One end of a swap after the other; else from the op to the last of its readers, with a margin.
Answered fit_selection(Viewer& viewer, const Arguments&) {
  if (is_timeline(viewer)) return fit_stretch(viewer);
  if (viewer.view.tab == ui::Tab::kScopes) return fit_box(viewer);
  const bool was_out = shown_end(viewer) == SwapEnd::kOut;
  if (show_end(viewer, was_out ? SwapEnd::kIn : SwapEnd::kOut)) return {};
  const OpId op = *selected_op(viewer);
  const GraphFile& file = *viewer.graph().snapshot()->shown->file;
  std::int32_t first = file.levels.level(op);
  std::int32_t last = first;
  for (const Use use : file.consumers.data(op)) {
    first = std::min(first, file.levels.level(use.consumer));
    last = std::max(last, file.levels.level(use.consumer));
  }
  const double margin = std::max(2.0, (last - first) * 0.1);
  show_range({&viewer.view.axis, level_count(viewer)}, first - margin,
             last - first + 1 + 2 * margin);
  return {};
}

Answered set_axis(Viewer& viewer, const Arguments& arguments) {
  const ui::AxisKind axis = ui::axis_of_word(arguments.text(0));
  if (axis == ui::AxisKind::kMeasuredTime && !has_trace(viewer)) {
    return fail(Code::kInvalidArgument,
                "there is no traced step; expected measure.open FILE first");
  }
  if (axis == ui::AxisKind::kTime) {
    const auto& snapshot = viewer.graph().snapshot();
    if (!snapshot) return fail(Code::kInvalidArgument, "there is no graph; expected one first");
    if (!render::has_clock(snapshot->scene(), viewer.view.device)) {
      return fail(Code::kInvalidArgument,
                  "the step has no op whose time is known; expected level or step");
    }
  }
  viewer.view.memory_axis = axis;
  viewer.view.pinned.reset();
  return {};
}

Answered set_detail(Viewer& viewer, const Arguments& arguments) {
  viewer.view.detail_0_1 = arguments.decimal(0);
  return {};
}

Answered set_device(Viewer& viewer, const Arguments& arguments) {
  const auto count = viewer.graph().snapshot()->devices.size();
  const std::int64_t device = arguments.whole(0);
  if (static_cast<std::size_t>(device) >= count) {
    return bad_argument(std::to_string(device), fmt::format("a number below {}", count));
  }
  viewer.view.device = static_cast<std::uint32_t>(device);
  return {};
}

// In milliseconds of the traced step.
Answered select_stretch(Viewer& viewer, const Arguments& arguments) {
  const double from_us = arguments.decimal(0) * 1000;
  const double to_us = arguments.decimal(1) * 1000;
  if (to_us <= from_us) {
    return bad_argument(fmt::format("{}", arguments.decimal(1)), "a time behind the first");
  }
  viewer.view.stretch = ui::TimeStretch{from_us, to_us};
  return {};
}

Answered clear_stretch(Viewer& viewer, const Arguments&) {
  viewer.view.stretch.reset();
  return {};
}

Answered select_levels(Viewer& viewer, const Arguments& arguments) {
  const std::int64_t last = std::max(0, level_count(viewer) - 1);
  const std::int64_t from = arguments.whole(0);
  const std::int64_t to = arguments.whole(1);
  if (to < from || to > last) {
    return bad_argument(std::to_string(to), fmt::format("a level from {} to {}", from, last));
  }
  viewer.view.levels = ui::LevelStretch{static_cast<std::int32_t>(from),
                                        static_cast<std::int32_t>(to), arguments.size() > 2};
  return {};
}

Answered clear_levels(Viewer& viewer, const Arguments&) {
  viewer.view.levels.reset();
  return {};
}

bool has_measured_levels(const Viewer& viewer) {
  return viewer.view.levels.has_value();
}

bool has_stretch(const Viewer& viewer) {
  return has_trace(viewer) && viewer.view.stretch.has_value();
}
bool has_selection(const Viewer& viewer) {
  if (viewer.view.tab == ui::Tab::kScopes && has_graph(viewer) && !viewer.view.boxes.picked.empty())
    return true;
  return selected_op(viewer).has_value() || (is_timeline(viewer) && has_stretch(viewer));
}

const std::string kViewWords = fmt::format("{}", fmt::join(render::view_words(), "|"));

const std::array kViewTable = {
    for_pages(action("view.tab", "Choose a view", "", "", {word(kViewWords)},
                     "Show a view in the centre.", set_tab)),
    for_pages(
        action("view.zoom", "Zoom", "", "",
               {decimal("FACTOR", kAboveZero, kMostDecimal, "a factor above 0, such as 1.5"),
                optional(decimal("AT", -kMostDecimal, kMostDecimal, "a place on the axis"))},
               "Above 1: show fewer levels, or less of the axis that is shown (steps, time in us).",
               zoom, has_graph)),
    for_pages(
        action("view.pan", "Pan", "", "", {text("LEVELS")},
               "Move along the levels, or the axis that is shown; 10% is of the visible part.", pan,
               has_graph)),
    for_pages(
        action("view.range", "Show levels", "", "",
               {decimal("FIRST", 0, kMostDecimal, "a level of at least 0"),
                decimal("LAST", 0, kMostDecimal, "a level not before the first")},
               "Show these levels; of another axis that is shown these steps, or microseconds.",
               set_range, has_graph)),
    for_pages(action("view.rows", "Zoom the rows of levels", "", "",
                     {decimal("ZOOM", 1, ui::kMostRowZoom, "a number from 1 to 64"),
                      optional(decimal("SCROLL", 0, 1, "a number from 0 to 1"))},
                     "1: all rows fit; above that they are higher, and SCROLL says how far down.",
                     set_rows, has_graph)),
    for_pages(action("view.fit", "Fit all", "View", "Home 0 Space", {}, "Show the whole graph.",
                     fit, has_graph)),
    for_pages(Action{
        "view.fit-selection",
        "Fit the selection",
        "View",
        "F",
        {},
        "Show one end of the selected swap after the other, or the selected op and its readers; in "
        "the timeline the chosen stretch, or the op.",
        fit_selection,
        has_selection}),
    for_pages(action("timeline.select", "Choose a stretch of the timeline", "", "",
                     {decimal("FROM_MS", 0, kMostDecimal, "milliseconds of at least 0"),
                      decimal("TO_MS", 0, kMostDecimal, "milliseconds behind the first")},
                     "Show the statistics of this stretch of the traced step.", select_stretch,
                     has_trace)),
    for_pages(action("timeline.clear", "Whole step", "View", "", {},
                     "Show the statistics of the whole traced step.", clear_stretch, has_stretch)),
    for_pages(
        action("levels.select", "Measure levels", "", "",
               {whole("FROM", 0, "a level"), whole("TO", 0, "a level"), optional(word("limit"))},
               "Say what happens at these levels; limit: tables and statistics are of these alone.",
               select_levels, has_graph)),
    for_pages(action("levels.clear", "All levels", "View", "", {},
                     "Measure no levels, and limit no tables and statistics.", clear_levels,
                     has_measured_levels)),
    for_pages(action("view.axis", "Choose the axis", "", "", {word("level|step|time|measured")},
                     "The horizontal axis of the memory view; time is estimated.", set_axis)),
    for_pages(action("view.detail", "Set the detail", "", "",
                     {decimal("X", 0, 1, "a number from 0 to 1")},
                     "From 0 to 1: how small a tensor still gets a band of its own.", set_detail)),
    for_pages(action("view.device", "Choose the device", "", "",
                     {whole("N", 0, "an integer of at least 0")},
                     "Index, from 0, of the device whose memory is shown.", set_device, has_graph)),
};

}  // namespace

constinit const std::span<const Action> kViewActions = kViewTable;

}  // namespace tideline::app
