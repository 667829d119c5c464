#include <malloc.h>

#include "app/cli/commands.h"
#include "core/runtime/serve.h"
#ifdef TIDELINE_HAS_GUI
#include "app/gui/findings.h"
#include "app/gui/picture.h"
#include "app/gui/pictures.h"
#include "app/gui/start.h"
#include "app/gui/widget_labels.h"
#include "app/gui/window.h"
#endif

namespace {

tideline::cli::Front front() {
#ifdef TIDELINE_HAS_GUI
  namespace gui = tideline::gui;
  return {gui::has_display,         gui::run_gui,       gui::draw_png,          gui::write_picture,
          gui::decode_logged_image, gui::widget_labels, gui::findings_of_window};
#else
  return {};
#endif
}

// A search makes and drops megabytes of plans and step graphs hundreds of times. By default the
// allocator gives them back to the system each time, and the page faults cost more than the work.
void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  // The same program is the worker that runs TensorFlow (core/runtime/worker.h).
  if (const auto code = tideline::runtime::serve_if_asked(argc, argv)) return *code;
  return tideline::cli::run(argc, argv, front());
}
