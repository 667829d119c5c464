// Tested by gui/lost_display_test.py.
#include "app/gui/lost_display.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
#include <utility>

#include "app/engine/say.h"

namespace tideline::gui {
namespace {

// Xlib's handlers take no data of the caller.
struct Watch {
  std::function<std::string()> last_words;
  std::thread::id thread;
};
Watch& watch() {
  static Watch the_watch;
  return the_watch;
}

// Called with a Display*, which is not usable any more. Must not return.
int on_lost(void*) {
  const Watch& the_watch = watch();
  // The worker's thread wakes the window and may detect the loss first, but must not access the
  // session.
  const bool is_ours = the_watch.last_words && the_watch.thread == std::this_thread::get_id();
  app::complain(
      "tideline: {}\n",
      is_ours
          ? the_watch.last_words()
          : "the connection to the display was lost; unwritten work is offered at the next start");
  std::fflush(stderr);
  // Destructors would talk to the server that is gone, and wait for the worker.
  ::_exit(1);
}

}  // namespace

LostDisplay::LostDisplay(std::function<std::string()> last_words) {
  watch() = {std::move(last_words), std::this_thread::get_id()};
}

LostDisplay::~LostDisplay() {
  watch() = {};
}

void watch_display() {
  // By name: the headers of Xlib are not needed for one function of a library that GLFW loads.
  void* library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  using Handler = int (*)(void*);
  using SetHandler = Handler (*)(Handler);
  if (auto* set = reinterpret_cast<SetHandler>(::dlsym(library, "XSetIOErrorHandler")))
    set(on_lost);
  ::dlclose(library);  // GLFW holds it, too
}

}  // namespace tideline::gui
