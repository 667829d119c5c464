// Wakes a sleeping event loop from any thread.
#pragma once

#include <functional>
#include <mutex>

namespace tideline::gui {

/// The loop calls open before it begins, and close when it has ended, before anything that the
/// callback uses is destroyed. Thread: any.
class Waker {
 public:
  using Wake = std::function<void()>;

  /// Makes `wake()` call the callback from now on.
  void open(Wake wake);
  /// Waits for a running callback; afterwards `wake()` has no effect.
  void close();
  void wake();

 private:
  std::mutex mutex_;
  Wake wake_;
};

}  // namespace tideline::gui
