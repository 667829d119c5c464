// Charts and cards of a log in columns, under headings of the first part of their tags.
#pragma once

#include <string_view>

#include "render/ui/panel.h"

namespace tideline::ui {

/// While it lives, items of the current ImGui window are placed by `next`.
class ChartGrid {
 public:
  explicit ChartGrid(Ui& ui);
  ~ChartGrid();
  ChartGrid(const ChartGrid&) = delete;
  ChartGrid& operator=(const ChartGrid&) = delete;

  /// To be called before each item; begins a new row with a heading where the group of `tag`, which
  /// is what stands before its first slash, is another one.
  void next(std::string_view tag);
  /// Of an item.
  [[nodiscard]] float width_px() const { return width_px_; }
  [[nodiscard]] float height_px() const { return height_px_; }

 private:
  Ui& ui_;
  int columns_ = 1;
  int column_ = 0;
  bool is_first_ = true;
  std::string_view group_;
  float width_px_ = 0, height_px_ = 0;
};

/// Text for a page without anything on it: that the filters leave none of `what`, or that there are
/// none.
void draw_empty_page(Ui& ui, const char* what);

/// A slider over the rows of a series: chooses the one to show, with its step. Returns it.
/// `width_px` 0: to the edge. Precondition: the series has rows.
std::size_t draw_row_choice(Ui& ui, std::uint32_t series, float width_px);
/// The row of a series that is shown. Precondition: it has rows.
[[nodiscard]] std::size_t row_of(const Ui& ui, std::uint32_t series);
/// The name of the run of a series, after its number in its colour, in one line.
void draw_run_name(Ui& ui, std::uint32_t series, std::uint32_t number, float width_px);

/// Drags and wheel zoom the horizontal axis that all charts over steps share, a double click shows
/// all of it. To be called right after the item of the chart, whose corner is at `corner`.
void take_chart_mouse(Ui& ui, const render::ChartFrame& chart, render::Point corner);

}  // namespace tideline::ui
