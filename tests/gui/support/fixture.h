// What the panels show, made from a real graph without the app around it.
#pragma once

#include <memory>
#include <string>

#include "app/engine/snapshot.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// A model with all that it points to.
struct Fixture {
  std::shared_ptr<const app::Snapshot> snapshot;
  Policy policy;
  DeviceProfile profile;
  ui::ScopeTotals totals;
  ui::UiModel model;

  Fixture() = default;
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
};

/// A small table of actions, some with keys, one that cannot be run.
[[nodiscard]] std::vector<ui::ActionInfo> some_actions();

/// A model with nothing open.
[[nodiscard]] std::unique_ptr<Fixture> empty_fixture();
/// `path` below the project's root, or absolute; `trace` is a file with a traced step of it. Fails
/// the test when it cannot be opened.
[[nodiscard]] std::unique_ptr<Fixture> fixture(const std::string& path, const Policy& policy,
                                               std::optional<std::int64_t> batch_size = {},
                                               const std::string& trace = {});
/// A graph of eight forward and eight backward ops with a traced step on a GPU: six outputs went to
/// the host and came back, the last two of them late; with rows of kernels and copies.
[[nodiscard]] std::unique_ptr<Fixture> traced_swaps();
/// LMS v2 with these parameters.
[[nodiscard]] Policy lms2(int threshold, int ahead, int groupby);
/// The tutorial's graph with threshold 50, ahead 3, group-by 2, batch size 100.
[[nodiscard]] std::unique_ptr<Fixture> tutorial();
/// A log that is shown: runs "eval" and "train" of some hundred steps with loss/total, loss/l2 and
/// learning_rate (of "train" alone), in which training began again once, and a graph.
[[nodiscard]] std::unique_ptr<Fixture> logged_training();
/// A log that is shown: runs "eval" and "train" with histograms of dense/kernel, images of digits
/// (one of them damaged) and hostile texts, a graph and a traced step. All images are decoded.
[[nodiscard]] std::unique_ptr<Fixture> logged_pages();
/// A log of tests/data/foreign/logs.
[[nodiscard]] std::unique_ptr<Fixture> opened_log(const std::string& name);
/// A checkpoint that is shown: some layers with their optimizer's variables, one of them selected,
/// verified with one damage, compared with another one, and two backends.
[[nodiscard]] std::unique_ptr<Fixture> trained_checkpoint();
/// A step of 64 examples that does not fit, with two ways to make it fit.
[[nodiscard]] std::shared_ptr<const ui::FitCard> some_fit();
/// Makes `name` the selected op, with its card.
void select(Fixture& fixture, ui::ViewState& view, const std::string& name);

}  // namespace tideline::gui
