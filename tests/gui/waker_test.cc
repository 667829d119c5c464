#include "app/gui/waker.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

namespace tideline::gui {

TEST_CASE("A window does not go away in the middle of a wake-up", "[waker]") {
  Waker waker;
  std::atomic<bool> is_waking = false, is_closing = false, is_woken = false;
  waker.open([&] {
    is_waking = true;
    while (!is_closing) std::this_thread::yield();
    // Time for a `close` that does not wait to return too early.
    for (int i = 0; i < 100'000; ++i) std::this_thread::yield();
    is_woken = true;
  });
  std::thread worker([&] { waker.wake(); });
  while (!is_waking) std::this_thread::yield();
  is_closing = true;
  waker.close();
  CHECK(is_woken);  // now GLFW may end
  worker.join();
}

TEST_CASE("After the window nothing is woken, and nothing before it", "[waker]") {
  Waker waker;
  int calls = 0;
  waker.wake();
  CHECK(calls == 0);
  waker.open([&] { ++calls; });
  waker.wake();
  waker.wake();
  CHECK(calls == 2);
  waker.close();
  waker.wake();
  CHECK(calls == 2);
}

}  // namespace tideline::gui
