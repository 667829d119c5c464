// Undo and redo of wishes.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "app/session/wish.h"

namespace tideline::app {

/// The current wish and those before and after it, at most kMostSteps. Invariant: neighbours
/// differ. Thread: not shared.
class History {
 public:
  static constexpr std::size_t kMostSteps = 200;

  [[nodiscard]] const Wish& current() const { return current_; }
  /// Clears the history and starts with `wish`.
  void reset(Wish wish);
  /// Makes `wish` the current one and clears the redo steps; returns false if it already is. A
  /// non-empty key equal to that of the previous change merges both into one step, until
  /// end_gesture.
  bool change(Wish wish, const std::string& key);
  void end_gesture() { key_.clear(); }
  /// Replaces the current wish within its step. Precondition: `wish` differs from the one before.
  void amend(Wish wish) { current_ = std::move(wish); }
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

}  // namespace tideline::app
