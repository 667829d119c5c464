// The state of the view. Nothing here affects a plan or the graph.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "render/model/log_images.h"
#include "render/view/histogram_chart.h"
#include "render/view/palette.h"
#include "render/view/scalar_lines.h"
#include "render/view/views.h"

namespace tideline::ui {

/// The view in the centre: its place in render::views(). Those named here have panels of their own.
enum class Tab : std::uint8_t { kLevels, kMemory, kScopes, kTimeline, kDiff, kFit, kTried };
[[nodiscard]] inline const render::View& view_of(Tab tab) {
  return render::views()[static_cast<std::size_t>(tab)];
}
[[nodiscard]] inline Tab tab_of(const render::View& view) {
  return static_cast<Tab>(&view - render::views().data());
}
/// The horizontal axis of the memory view. The levels view always shows levels.
enum class AxisKind : std::uint8_t { kLevel, kStep, kMeasuredTime, kTime };
/// What actions, options and pages call them.
inline constexpr std::array<const char*, 4> kAxisWords = {"level", "step", "measured", "time"};
/// Precondition: `word` is one of them.
[[nodiscard]] inline AxisKind axis_of_word(std::string_view word) {
  return static_cast<AxisKind>(std::find(kAxisWords.begin(), kAxisWords.end(), word) -
                               kAxisWords.begin());
}
enum class Popup : std::uint8_t {
  kNone,
  kOpen,
  kOpenLog,
  kAddLog,
  kOpenTrace,
  kOpenCheckpoint,
  kCompareCheckpoint,
  kCompareGraph,
  kConvertCheckpoint,
  kWrite,
  kKeys,
  kPalette,
  kSearch,
  kMessages,
  kAbout,
  kQuit,
  kOpenLesson,
  kChooseFont
};

/// What the dialog for writing writes; each has a name and an ending of its own.
enum class WriteForm : std::uint8_t { kGraph, kLog, kPlan, kTables, kPicture, kWindow };
inline constexpr std::size_t kWriteForms = 6;

/// A side of the window.
enum class Side : std::uint8_t { kNone, kLeft, kRight };

/// The visible part of an axis, in levels (or steps). `span` 0: all of it.
struct AxisRange {
  double first = 0;
  double span = 0;
  friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// A place that can be gone back to: a view, what of its axis was seen, and the selected op.
struct Bookmark {
  Tab tab = {};
  AxisKind memory_axis = AxisKind::kLevel;  ///< of the memory view
  AxisRange range;                          ///< levels, steps or us, or 1/1000 of the width
  std::string op;                           ///< a tensor or an op; empty: none
  friend bool operator==(const Bookmark&, const Bookmark&) = default;
};
inline constexpr std::size_t kBookmarks = 9;

/// A stretch of a traced step, in microseconds from its beginning.
struct TimeStretch {
  double from_us = 0;
  double to_us = 0;
  friend bool operator==(const TimeStretch&, const TimeStretch&) = default;
};

/// Levels that were chosen in the charts, both included.
struct LevelStretch {
  std::int32_t from = 0, to = 0;
  bool is_limit = false;  ///< tables and statistics are of these alone (levels_limit.h)
  friend bool operator==(const LevelStretch&, const LevelStretch&) = default;
};

/// What of a log is shown.
enum class LogPage : std::uint8_t {
  kScalars,
  kHistograms,
  kDistributions,
  kImages,
  kText,
  kHparams,
  kGraphs
};

struct LogView {
  LogPage page = LogPage::kScalars;
  render::ScalarLook look;  ///< of distributions as well
  render::HistogramLook histograms;
  std::string tag_filter, run_filter;
  std::vector<std::string> hidden_runs;  ///< sorted
  /// Images and texts are shown of the last row up to this step, or of the newest; `rows` has the
  /// rows that were chosen for single series.
  std::optional<std::int64_t> step;
  std::map<std::uint32_t, std::uint64_t> rows;
  bool is_wide = false;    ///< charts take the whole width, one below the other
  std::string enlarged;    ///< tag of the chart that has the page for itself; empty: none
  std::string chart_path;  ///< what it is written to
  bool replaces_chart = false;
  bool is_pixel_size = false;  ///< of images: a pixel of theirs is one of the screen
  bool is_raw_text = false;    ///< texts as they were written, without their Markdown
  /// The images that the last frame showed, or would have.
  std::vector<LogRowKey> wanted_images;
};

/// What of a checkpoint is shown.
enum class CheckpointPage : std::uint8_t { kTensors, kComparison, kBackends };

struct CheckpointView {
  CheckpointPage page = CheckpointPage::kTensors;
  std::string filter;
  std::vector<std::uint32_t> closed;  ///< sorted; indices of TensorTree::nodes
  int sort_column = 0;  ///< of the tensors: 0 their tree, else a list without its folders
  bool sort_descending = false;
};

/// The view of one document; every document has its own.
struct DocumentView {
  AxisRange axis;            ///< shared by levels and memory when both show levels
  AxisRange steps;           ///< of the memory view when it shows steps
  AxisRange times;           ///< of the memory view when it shows measured time
  AxisRange clock;           ///< of the memory view when it shows estimated time
  AxisRange scopes;          ///< of the width of the scopes view, in thousandths
  render::ScopesPart boxes;  ///< of the scopes view
  render::ColorBy levels_color = render::ColorBy::kPhase;
  render::DiffPart diff;                 ///< of the diff view
  AxisRange trace;                       ///< of the timeline, in microseconds
  double trace_scroll_px = 0;            ///< of the timeline
  std::optional<TimeStretch> stretch;    ///< whose statistics the timeline shows; else all
  std::optional<LevelStretch> levels;    ///< measured in the views of levels and memory
  double y_scroll_px = 0;                ///< of the levels view
  double y_zoom = 1;                     ///< of the levels view
  double y_most_scroll_px = 0;           ///< of the levels view, with its last frame
  std::optional<double> y_scroll_share;  ///< 0 to 1: what its next frame makes y_scroll_px of
  std::uint32_t device = 0;              ///< index of Scene::devices, for the memory view

  std::optional<TensorId> selected;  ///< an op is selected as its output 0
  std::optional<TensorId> hovered;
  std::optional<double> cursor;  ///< level (or step) under the mouse, shared by the charts
  std::optional<double> pinned;  ///< level (or step) whose memory is listed; else the cursor's
  std::optional<double> player;  ///< level of the step player's cursor; none: it is not shown
  std::array<std::optional<Bookmark>, kBookmarks> bookmarks;
  std::vector<TensorId> history;
  std::size_t history_at = 0;

  std::string search, scope_filter, swap_filter;
  std::array<std::string, kWriteForms> write_paths;  ///< by WriteForm; a checkpoint's is the first
  std::vector<std::uint32_t> open_scopes;            ///< sorted; indices of ScopeTree::scopes
  LogView log;
  CheckpointView checkpoint;
};

/// The end of a swap's bar while the mouse holds it.
struct BarDrag {
  TensorId tensor;
  std::uint32_t swap_in = 0;   ///< SwapSpan::swap_in
  std::int32_t level = 0;      ///< where it would be
  bool is_taken_back = false;  ///< by Escape; the mouse button is still down
};

/// What the panel of a lesson keeps between frames.
struct LessonView {
  std::uint64_t turn = 0;   ///< LessonCard::turn that the rest is of
  double since_s = 0;       ///< of ImGui::GetTime(), when that turn began
  bool is_touched = false;  ///< something outside of the panel was clicked since
  std::string typed;        ///< in the field for the guess
  float height_px = 0;      ///< of what the panel shows
};

/// What is kept between runs.
struct Looks {
  render::ThemeKind theme = render::ThemeKind::kDark;
  std::string font_file = {};           ///< TrueType or OpenType; empty: DejaVu Sans
  float font_px = 15;                   ///< before ViewState::scale
  float left_px = 300, right_px = 420;  ///< the same
  float bottom_share = 0.27F;           ///< of the centre's height, memory under levels
  float inspector_share = 0.45F;        ///< of the right side's height
  friend bool operator==(const Looks&, const Looks&) = default;
};

/// Plain values; panels and actions change them directly. Thread: the UI's.
struct ViewState : DocumentView, Looks {
  float scale = 1;  ///< of the display: 2 for HiDPI
  /// While the layout for teaching is there, which has larger letters and other sizes.
  std::optional<Looks> before_teaching;

  bool show_left = true, show_right = true, show_bottom = true;
  // Set with each frame: a side without room is a strip of icons, and shown in front of the centre.
  bool is_left_narrow = false, is_right_narrow = false;
  Side open_side = Side::kNone;
  Tab tab = Tab::kLevels;

  bool is_playing = false;  ///< DocumentView::player moves by itself
  double player_speed = 4;  ///< levels a second

  AxisKind memory_axis = AxisKind::kLevel;
  double detail_0_1 = 0.5;  ///< of the bands: higher values give smaller tensors their own band
  bool show_candidates = true;
  bool show_control_edges = false;
  bool show_original = true;

  Popup popup = Popup::kNone;
  std::string palette_text;
  std::string browser_folder;   ///< shown in Popup::kOpen and the like; empty: the current folder
  std::string browser_text;     ///< what is typed there: a path, or a part of a name in the folder
  bool browser_enters = false;  ///< Enter was pressed, and the folder of the text is being read
  bool browser_looks_in = false;  ///< a click on a graph lists its functions
  int file_filter = 0;            ///< index of UiModel::file_filters
  WriteForm write_form = WriteForm::kGraph;
  bool asks_to_replace = false;  ///< in Popup::kWrite
  int swap_sort_column = 0;
  bool swap_sort_descending = false;
  LessonView lesson;
  std::optional<BarDrag> bar_drag;
  std::string tooltip;  ///< for tests and for the status bar
};

}  // namespace tideline::ui
