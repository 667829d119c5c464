// Data that panels keep between frames: layouts, rows of tables.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/called_functions.h"
#include "render/model/log_charts.h"
#include "render/model/log_histograms.h"
#include "render/model/log_markdown.h"
#include "render/model/log_texts.h"
#include "render/model/text_filter.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"
#include "render/view/diff_view.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
#include "render/view/text_fit.h"
#include "render/view/timeline_view.h"

namespace tideline::ui {

struct KeptScopes;

/// A line of the scope tree.
struct ScopeRow {
  std::uint32_t scope = 0;  ///< index of ScopeTree::scopes
  std::uint32_t depth = 0;  ///< indentation, 0 at the left edge
};

/// The menu of an op or a scope.
struct ContextMenu {
  std::string tensor;            ///< "conv1/Relu:0", or of an op its name; empty: of `scope` alone
  std::string scope;             ///< whose rule can be set
  bool is_kept_by_file = false;  ///< the file's own copies: nothing can be said about its swap
  bool opens = false;            ///< with the next frame

  /// What can be done with it in the scopes view alone.
  struct Box {
    std::string path;                       ///< empty: it is none
    bool is_aside = false;                  ///< stands there now
    bool is_by_hand = false;                ///< where it stands was said
    std::vector<std::string> loops;         ///< that can be shown alone
    std::vector<CalledFunction> functions;  ///< that can be opened
  };
  Box box;
};

/// Call `update` once per frame, before the panels. Data are recomputed only when their inputs
/// changed. Thread: the UI's.
class ViewCache {
 public:
  void update(const UiModel& model, const ViewState& view);

  /// Nullopt without a graph.
  [[nodiscard]] const std::optional<render::OpLayout>& ops() const { return ops_; }
  [[nodiscard]] const std::optional<render::SwapLayout>& swaps() const { return swaps_; }
  /// The colours of levels in the theme of the view, kept until they are others; null for those of
  /// phases. Precondition: there is a graph.
  [[nodiscard]] const render::LevelsPaint* levels_paint(const render::Scene& scene,
                                                        const ViewState& view);
  /// The layout of a device over an axis, computed on first use. Precondition: there is a graph.
  [[nodiscard]] const render::MemoryLayout& memory(const render::Scene& scene, std::size_t device,
                                                   render::MemoryAxis axis);
  /// By scope, of the levels that the view is limited to, else UiModel::scope_totals; kept until
  /// either changes. Null without a graph.
  [[nodiscard]] const ScopeTotals* scope_totals(const UiModel& model, const ViewState& view);
  /// The layout of the traced step, computed on first use. Precondition: there is a graph.
  [[nodiscard]] const render::TimelineLayout& timeline(const render::Scene& scene);
  /// The statistics of a stretch of it; kept until another one is asked for. Precondition: there is
  /// a traced step.
  [[nodiscard]] const RangeStatistics& statistics(const render::Scene& scene,
                                                  const TimeStretch& stretch);
  /// What the scopes view of a loop is drawn from (scopes_look.h); its boxes are computed on first
  /// use, and kept until another loop is asked for. Precondition: there is a graph.
  [[nodiscard]] KeptScopes& scopes(const render::Scene& scene, const std::string& loop);
  /// The rows of the diff view's tree; kept until other changes are shown or others are open. None
  /// for null.
  [[nodiscard]] const std::vector<render::DiffRow>& diff_rows(
      const std::shared_ptr<const render::GraphChanges>& changes,
      const std::vector<std::string>& open);
  [[nodiscard]] const std::vector<ScopeRow>& scope_rows() const { return scope_rows_; }
  /// Rows of UiModel::swaps that match the filter, sorted.
  [[nodiscard]] const std::vector<std::uint32_t>& swap_order() const { return swap_order_; }
  /// Of all of UiModel::swaps: their names, to be shortened, and the largest.
  [[nodiscard]] const render::NameShortener& swap_names() const { return swap_names_; }
  [[nodiscard]] Bytes largest_swap() const { return largest_swap_; }
  [[nodiscard]] const TextFilter& scope_filter() const { return scope_filter_; }
  [[nodiscard]] const TextFilter& swap_filter() const { return swap_filter_; }
  [[nodiscard]] LogCharts& log_charts() { return log_charts_; }
  [[nodiscard]] LogHistograms& log_histograms() { return log_histograms_; }
  [[nodiscard]] LogTexts& log_texts() { return log_texts_; }
  [[nodiscard]] LogMarkdown& log_markdown() { return log_markdown_; }
  /// Indices of the nodes of TensorTree that are seen, of the checkpoint that is shown.
  [[nodiscard]] const std::vector<std::uint32_t>& tensor_rows() const { return tensor_rows_; }
  [[nodiscard]] const TextFilter& tensor_filter() const { return tensor_filter_; }
  /// Whether another frame is needed without further input.
  [[nodiscard]] bool is_busy() const {
    return is_busy_ || wants_frame || log_charts_.is_busy() || log_histograms_.is_busy();
  }
  /// Heights in the last frame: of the result panel, which the scopes panel above leaves free, of
  /// what is in "More parameters", and of the centre's toolbar.
  float result_height_px = 0, more_height_px = 0, toolbar_height_px = 0;
  /// How often the table of swaps was to be sorted by lateness; its columns sort it afterwards.
  int lateness_asked = 0;
  /// What the right mouse button was pressed on.
  ContextMenu menu;
  /// Title of the dialog that was drawn last, as long as it is open.
  std::string dialog;
  /// Set by panels that have more to do than fits into a frame; `update` resets it.
  bool wants_frame = false;

 private:
  void update_scope_rows(const UiModel& model, const ViewState& view, bool is_new_graph);
  void update_tensor_rows(const UiModel& model, const CheckpointView& view);
  void update_swap_order(const UiModel& model, const ViewState& view, bool is_new_snapshot);

  std::optional<std::uint64_t> revision_;
  const Graph* graph_ = nullptr;
  const TensorTable* tensors_ = nullptr;
  std::shared_ptr<const void> parts_of_;  // the snapshot whose parts are laid out; null: none
  std::optional<render::OpLayout> ops_;
  std::optional<render::SwapLayout> swaps_;
  std::optional<render::LevelsPaint> levels_paint_;
  render::ColorBy painted_by_ = {};
  render::ThemeKind painted_in_ = {};
  std::array<std::optional<render::MemoryLayout>, 4> memory_;  // by axis

  std::optional<render::TimelineLayout> timeline_;
  const MeasuredRun* timeline_of_ = nullptr;
  std::optional<RangeStatistics> statistics_;
  TimeStretch statistics_of_;

  std::shared_ptr<KeptScopes> scopes_;  // null: not made yet

  std::shared_ptr<const render::GraphChanges> diff_rows_of_;
  std::vector<std::string> diff_open_;
  std::vector<render::DiffRow> diff_rows_;

  std::vector<ScopeRow> scope_rows_;
  std::vector<std::uint32_t> open_scopes_;
  TextFilter scope_filter_;
  LogCharts log_charts_;
  LogHistograms log_histograms_;
  LogTexts log_texts_;
  LogMarkdown log_markdown_;
  std::shared_ptr<const void> tensors_of_;  // the listing that the rows are of
  std::vector<std::uint32_t> closed_;
  TextFilter tensor_filter_;
  std::vector<std::uint32_t> tensor_rows_;
  int tensor_sort_column_ = 0;
  bool tensor_sort_descending_ = false;
  std::uint32_t next_scope_ = 0;  // first scope that was not filtered yet
  bool is_busy_ = false;

  std::vector<std::uint32_t> swap_order_;
  render::NameShortener swap_names_;
  Bytes largest_swap_ = 0;
  TextFilter swap_filter_;
  std::size_t sort_device_ = 0;
  std::optional<LevelStretch> limit_;

  ScopeTotals limited_totals_;
  LevelStretch totals_limit_;
  std::optional<std::uint64_t> totals_revision_;
  int sort_column_ = -1;
  bool sort_descending_ = false;
};

/// Columns of the swaps table, as numbers of ViewState::swap_sort_column.
enum class SwapColumn : std::uint8_t { kTensor, kBytes, kOut, kIn, kLevels, kSlack, kLink, kRule };

}  // namespace tideline::ui
