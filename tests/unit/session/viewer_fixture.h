// A viewer with the tutorial's graph, for tests of actions.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "app/session/viewer.h"

namespace tideline::test {

inline std::string tutorial() {
  return std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";
}

struct OwnSession {
  app::Session opened;
};
/// A viewer of a session of its own.
struct Desk : OwnSession, app::Viewer {
  Desk() : app::Viewer(opened) {}
};

/// Waits for the work beside and takes it over as a window does.
inline void settle(app::Viewer& viewer) {
  while (viewer.session.is_busy()) {
    app::poll(viewer);
    std::this_thread::yield();
  }
  app::poll(viewer);
}

/// Threshold 0: the policy is off.
inline void open_tutorial(app::Viewer& viewer, int threshold = 0) {
  app::Wish wish;
  if (threshold > 0) {
    wish.policy.rewriter = "lms2";
    set_value(wish.policy, "swapout-threshold", threshold);
    set_value(wish.policy, "swapin-ahead", 3);
    set_value(wish.policy, "swapin-groupby", 2);
  }
  app::open_graph(viewer, {.graph = {.path = tutorial()}}, wish);
  settle(viewer);
  REQUIRE(viewer.graph().snapshot());
}

}  // namespace tideline::test
