// Tested by tests/gui/waker_test.cc.
#include "app/gui/waker.h"

#include <utility>

namespace tideline::gui {

void Waker::open(Wake wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

void Waker::close() {
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
}

void Waker::wake() {
  // Held during the call: `close` must not return in the middle of it.
  const std::lock_guard lock(mutex_);
  if (wake_) wake_();
}

}  // namespace tideline::gui
