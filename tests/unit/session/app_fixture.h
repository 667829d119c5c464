// An app with the tutorial's graph, for tests of actions.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "app/session/app.h"

namespace tideline::test {

inline std::string tutorial() {
  return std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";
}

/// Waits for the work beside and takes it over as a window does.
inline void settle(session::App& app) {
  while (app.session.is_busy()) {
    session::poll(app);
    std::this_thread::yield();
  }
  session::poll(app);
}

/// Threshold 0: the policy is off.
inline void open_tutorial(session::App& app, int threshold = 0) {
  session::Wish wish;
  if (threshold > 0) {
    wish.policy.rewriter = "lms2";
    set_value(wish.policy, "swapout-threshold", threshold);
    set_value(wish.policy, "swapin-ahead", 3);
    set_value(wish.policy, "swapin-groupby", 2);
  }
  app.session.open({.graph = {.path = tutorial()}}, wish);
  settle(app);
  REQUIRE(app.session.snapshot());
}

}  // namespace tideline::test
