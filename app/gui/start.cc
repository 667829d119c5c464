#include "app/gui/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "app/actions/commands.h"
#include "app/actions/copy_as.h"
#include "app/actions/session_keeper.h"
#include "app/actions/ui_model.h"
#include "app/engine/exit_codes.h"
#include "app/engine/say.h"
#include "app/gui/autosave.h"
#include "app/gui/lost_display.h"
#include "app/gui/picture.h"
#include "app/gui/pictures.h"
#include "app/gui/window.h"
#include "app/session/settings.h"
#include "app/session/viewer.h"
#include "core/base/output_file.h"

namespace tideline::gui {
namespace {

// Settings, sessions and what is unwritten; a disk that is full is said once, not at every change.
class Keeper {
 public:
  Keeper(app::Viewer& viewer, std::string path)
      : viewer_(viewer), path_(std::move(path)), sessions_(viewer, sessions_beside(path_)) {}

  void take_up_opened() { sessions_.take_up_opened(); }

  void save() {
    static_cast<ui::Looks&>(viewer_.settings) = viewer_.view;
    const auto& usual = viewer_.view.before_teaching;
    if (usual) static_cast<ui::Looks&>(viewer_.settings) = *usual;
    report(keep());
    report(sessions_.save());
    if (saved_ == viewer_.settings || path_.empty()) return;
    saved_ = viewer_.settings;
    report(app::save_settings(viewer_.settings, path_));
  }

  [[nodiscard]] Status keep() const { return keep_unwritten(viewer_.session, path_); }
  /// The message for a window that the user did not close: why it ended, whether anything was kept,
  /// and where.
  [[nodiscard]] std::string last_words(std::string_view why) const {
    if (!is_unwritten()) return fmt::format("{}; nothing was unwritten", why);
    if (path_.empty()) return fmt::format("{}; the policy is lost: HOME is not set", why);
    if (const Status kept = keep(); !kept) return fmt::format("{}; {}", why, kept.error().message);
    return fmt::format("{}; the unwritten policy was saved: sh {} writes the graph", why,
                       app::shell_quoted(unwritten_path(path_)));
  }

 private:
  [[nodiscard]] bool is_unwritten() const {
    const auto& documents = viewer_.session.documents();
    return std::any_of(documents.begin(), documents.end(),
                       [](const auto& entry) { return entry.document->is_unwritten(); });
  }
  void report(const Status& status) {
    if (status || has_complained_) return;
    has_complained_ = true;
    viewer_.session.journal().say(ui::MessageKind::kWarning, status.error().message);
  }
  static std::string sessions_beside(const std::string& settings) {
    if (settings.empty()) return {};
    return (std::filesystem::path(settings).parent_path() / "sessions").string();
  }

  app::Viewer& viewer_;
  std::string path_;
  app::SessionKeeper sessions_;
  std::optional<app::Settings> saved_;
  bool has_complained_ = false;
};

WindowApp window_app(app::Viewer& viewer, Keeper& keeper, const std::function<bool()>& must_end) {
  WindowApp window;
  window.refresh = [&viewer, &keeper]() -> const ui::UiModel& {
    app::poll(viewer);
    keeper.take_up_opened();
    return app::make_ui_model(viewer);
  };
  window.run = [&viewer](const ui::Intent& intent) { app::run_intents(viewer, {intent}); };
  window.end_gesture = [&viewer] { viewer.graph().end_gesture(); };
  window.is_done = [&viewer, &must_end] { return viewer.wants_quit || must_end(); };
  window.ask_to_quit = [&viewer] { app::run_intents(viewer, {{"file.quit"}}); };
  window.take_clipboard = [&viewer] {
    return std::exchange(viewer.clipboard, std::nullopt).value_or(std::string());
  };
  window.save = [&keeper] { keeper.save(); };
  return window;
}

}  // namespace

int run_gui(const ui::Intents& first, const std::function<bool()>& must_end) {
  app::Session opened(wake_window);
  app::Viewer viewer(opened);
  const std::string path = app::settings_path(std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME"));
  viewer.settings = app::load_settings(path);
  static_cast<ui::Looks&>(viewer.view) = viewer.settings;
  viewer.write_picture = write_picture;
  viewer.draw_png = draw_png;
  viewer.decode_image = decode_logged_image;
  viewer.asks_before_quitting = true;
  app::run_intents(viewer, first);
  for (const std::string& found : find_unwritten(path)) {
    viewer.unwritten_before.push_back(found);
    viewer.session.journal().say(
        ui::MessageKind::kWarning,
        fmt::format("an earlier window left unwritten policies; Restore opens them again, and this "
                    "writes them: sh {}",
                    app::shell_quoted(found)));
  }
  Keeper keeper(viewer, path);
  const LostDisplay lost(
      [&keeper] { return keeper.last_words("the connection to the display was lost"); });
  const auto place =
      show_window(window_app(viewer, keeper, must_end), viewer.view,
                  {viewer.settings.window_x_px, viewer.settings.window_y_px,
                   viewer.settings.window_width_px, viewer.settings.window_height_px});
  if (!place) {
    app::complain("tideline: {}\n", place.error().message);
    return 1;
  }
  viewer.settings.window_x_px = place->x;
  viewer.settings.window_y_px = place->y;
  viewer.settings.window_width_px = place->width;
  viewer.settings.window_height_px = place->height;
  keeper.save();
  // A file that is being written is then not put in place, and its temporary file is removed.
  for (const auto& entry : opened.documents()) entry.document->cancel();
  if (viewer.wants_quit) return 0;
  app::complain("tideline: {}\n", keeper.last_words("ended by a signal"));
  return app::kExitInterrupted;
}

}  // namespace tideline::gui
