// Wakes a loop that sleeps, from any thread, as long as there is one.
#pragma once

#include <functional>
#include <mutex>

namespace tideline::gui {

/// A loop opens it before it begins and closes it when it has ended, before what `wake` uses goes.
/// Thread: any.
class Waker {
 public:
  using Wake = std::function<void()>;

  /// From now on `wake()` calls `wake`.
  void open(Wake wake);
  /// Returns when no call of `wake` is under way; after it there are none.
  void close();
  void wake();

 private:
  std::mutex mutex_;
  Wake wake_;
};

}  // namespace tideline::gui
