#include "app/gui/start.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "app/gui/autosave.h"
#include "app/gui/lost_display.h"
#include "app/gui/pictures.h"
#include "app/gui/window.h"
#include "app/session/app.h"
#include "app/session/commands.h"
#include "app/session/copy_as.h"
#include "app/session/settings.h"
#include "app/session/ui_model.h"
#include "core/base/output_file.h"

namespace tideline::gui {
namespace {

void complain(const Error& error) {
  fmt::print(stderr, "tideline: {}\n", error.message);
}

// Settings and what is unwritten; a disk that is full is said once, not at every change.
class Keeper {
 public:
  Keeper(session::App& app, std::string path) : app_(app), path_(std::move(path)) {}

  void save() {
    app_.settings.take_from(app_.view);
    report(keep());
    if (saved_ == app_.settings || path_.empty()) return;
    saved_ = app_.settings;
    report(session::save_settings(app_.settings, path_));
  }

  [[nodiscard]] Status keep() const { return keep_unwritten(app_, path_); }
  /// What is said when the window is gone: whether anything was kept, and where.
  [[nodiscard]] std::string last_words() const {
    constexpr const char* kLost = "the connection to the display was lost";
    if (!app_.session.is_unwritten()) return fmt::format("{}; nothing was unwritten", kLost);
    if (path_.empty()) return fmt::format("{}; the policy is lost: HOME is not set", kLost);
    if (const Status kept = keep(); !kept)
      return fmt::format("{}; {}", kLost, kept.error().message);
    return fmt::format("{}; the unwritten policy was saved: sh {} writes the graph", kLost,
                       session::shell_quoted(unwritten_path(path_)));
  }

 private:
  void report(const Status& status) {
    if (status || has_complained_) return;
    has_complained_ = true;
    app_.session.say(ui::MessageKind::kWarning, status.error().message);
  }
  session::App& app_;
  std::string path_;
  std::optional<session::Settings> saved_;
  bool has_complained_ = false;
};

WindowApp window_app(session::App& app, Keeper& keeper) {
  WindowApp window;
  window.refresh = [&app](ui::ViewState&) -> const ui::UiModel& {
    session::poll(app);
    return session::make_ui_model(app);
  };
  window.run = [&app](const ui::Intent& intent, ui::ViewState&) {
    session::run_intents(app, {intent});
  };
  window.end_gesture = [&app] { app.session.end_gesture(); };
  window.is_done = [&app] { return app.wants_quit; };
  window.take_clipboard = [&app] {
    return std::exchange(app.clipboard, std::nullopt).value_or(std::string());
  };
  window.save = [&keeper] { keeper.save(); };
  return window;
}

}  // namespace

int run_gui(const std::vector<std::string>& paths) {
  session::App app(wake_window);
  const std::string path =
      session::settings_path(std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME"));
  app.settings = session::load_settings(path);
  app.settings.apply_to(app.view);
  app.write_picture = write_picture;
  if (!paths.empty()) session::run_intents(app, {{"file.open", {paths.front()}}});
  if (paths.size() > 1)
    app.session.say(ui::MessageKind::kWarning,
                    fmt::format("one graph at a time: only {} was opened", paths.front()));
  if (const std::string found = find_unwritten(path); !found.empty())
    app.session.say(ui::MessageKind::kWarning,
                    fmt::format("the last window left an unwritten policy; to write it: sh {}",
                                session::shell_quoted(found)));
  Keeper keeper(app, path);
  const LostDisplay lost([&keeper] { return keeper.last_words(); });
  const auto place = show_window(window_app(app, keeper), app.view,
                                 {app.settings.window_x_px, app.settings.window_y_px,
                                  app.settings.window_width_px, app.settings.window_height_px});
  if (!place) {
    complain(place.error());
    return 1;
  }
  app.settings.window_x_px = place->x;
  app.settings.window_y_px = place->y;
  app.settings.window_width_px = place->width;
  app.settings.window_height_px = place->height;
  keeper.save();
  app.session.cancel();
  return 0;
}

}  // namespace tideline::gui
