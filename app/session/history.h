// Undo and redo of wishes.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "app/session/wish.h"

namespace tideline::session {

/// The current wish and those before and after it. Invariant: neighbours differ. Thread: one.
class History {
 public:
  static constexpr std::size_t kMostSteps = 200;

  [[nodiscard]] const Wish& current() const { return current_; }
  /// Forgets everything and begins with `wish`.
  void reset(Wish wish);
  /// False when `wish` is the current one. A key that is not empty and that of the step before
  /// makes both one step, until end_gesture; steps that were undone are forgotten.
  bool change(Wish wish, const std::string& key);
  void end_gesture() { key_.clear(); }
  bool undo();
  bool redo();
  /// "copies 3 -> 5"; empty when there is nothing to undo.
  [[nodiscard]] std::string undo_title() const;
  [[nodiscard]] std::string redo_title() const;

 private:
  std::deque<Wish> before_;
  std::vector<Wish> after_;  // nearest last
  Wish current_;
  std::string key_;
};

}  // namespace tideline::session
