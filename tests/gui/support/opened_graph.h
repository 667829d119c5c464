// A graph opened as the app opens it, with a policy; and the five that every window is drawn with.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "app/actions/commands.h"
#include "app/session/session.h"
#include "app/session/viewer.h"
#include "tests/support/temporary_folder.h"

namespace tideline::gui {

/// The names that `open_graph` knows. "vgg" is a chain of sixteen layers with few, large tensors,
/// and "100k" has ten towers and 100,000 ops; both are made up.
inline constexpr std::array<const char*, 5> kFiveGraphs = {"tutorial", "resnet50", "transformer",
                                                           "vgg", "100k"};

/// A session with its viewer.
struct OpenedGraph {
  OpenedGraph() : viewer(session) {}
  OpenedGraph(const OpenedGraph&) = delete;
  OpenedGraph& operator=(const OpenedGraph&) = delete;

  /// Runs an action of the table, which may begin something. Fails the test on errors.
  void run(const std::string& id, const app::Words& words);
  /// What a window shows once nothing goes on in the background.
  [[nodiscard]] const ui::UiModel& model();

  app::Session session;
  app::Viewer viewer;
};

/// One of kFiveGraphs with a budget that it meets by swapping, and with an op selected.
[[nodiscard]] std::unique_ptr<OpenedGraph> open_graph(const std::string& name);

}  // namespace tideline::gui
