// Tested by unit/session/history_test.cc.
#include "app/session/history.h"

#include <utility>

namespace tideline::app {

void History::reset(Wish wish) {
  before_.clear();
  after_.clear();
  key_.clear();
  current_ = std::move(wish);
}

bool History::change(Wish wish, const std::string& key) {
  if (wish == current_) return false;
  const bool is_one_gesture = !key.empty() && key == key_ && !before_.empty();
  if (!is_one_gesture) {
    before_.push_back(std::move(current_));
    if (before_.size() > kMostSteps) before_.pop_front();
  }
  after_.clear();
  current_ = std::move(wish);
  key_ = key;
  if (is_one_gesture && current_ == before_.back()) {
    before_.pop_back();  // back where the slider began
    key_.clear();
  }
  return true;
}

bool History::undo() {
  if (before_.empty()) return false;
  after_.push_back(std::exchange(current_, std::move(before_.back())));
  before_.pop_back();
  key_.clear();
  return true;
}

bool History::redo() {
  if (after_.empty()) return false;
  before_.push_back(std::exchange(current_, std::move(after_.back())));
  after_.pop_back();
  key_.clear();
  return true;
}

std::string History::undo_title() const {
  return before_.empty() ? std::string() : describe_change(before_.back(), current_);
}

std::string History::redo_title() const {
  return after_.empty() ? std::string() : describe_change(current_, after_.back());
}

}  // namespace tideline::app
