#include "app/gui/window.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "app/gui/font_problem.h"
#include "app/gui/glfw_window.h"
#include "app/gui/lost_display.h"
#include "app/gui/texture_store.h"
#include "app/gui/trace.h"
#include "app/gui/waker.h"
#include "render/gl/offscreen.h"
#include "render/model/player.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_context.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::gui {
namespace {

// ImGui needs a frame to see an input, one to act on it and one to settle.
constexpr int kFramesAfterEvent = 3;
constexpr double kBlinkS = 0.25;  // of the cursor in a text
constexpr double kSleepS = 1;
constexpr double kFollowS = 0.4;  // a log that is shown grows
constexpr double kPlayS = 1.0 / 30;
constexpr double kMostTickS = 0.5;  // of the player, however long a frame took

// The worker may finish while the window goes away: GLFW must not be called during glfwTerminate,
// nor after it.
Waker& waker() {
  static Waker only;
  return only;
}

// Dear ImGui on a window; ends before the window does.
class Painter {
 public:
  explicit Painter(GlfwWindow& window) : window_(window) {
    is_ready_ = ImGui_ImplGlfw_InitForOpenGL(window.handle(), true) &&
                ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~Painter() {
    if (!is_ready_) return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;
  [[nodiscard]] bool is_ready() const { return is_ready_; }

  /// Other letters, or those of another size, need another texture.
  void use_fonts(const std::string& file, float body_px) {
    if (body_px == body_px_ && file == font_file_) return;
    body_px_ = body_px;
    font_file_ = file;
    fonts_ = ui::load_chosen_fonts(*ImGui::GetIO().Fonts, body_px, file);
    say_font_problem(fonts_);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }

  void frame(const ui::UiModel& model, ui::ViewState& view, ui::Intents& intents) {
    use_fonts(view.font_file, view.font_px * view.scale);
    ui::apply_theme(view.theme, view.scale);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    textures_.begin_frame();
    ui::Ui ui = {model, view, widgets, intents, fonts_, cache, &textures_};
    ui::draw_window(ui);
    ImGui::Render();
    const render::Color ground = render::palette(view.theme).background;
    int width = 0, height = 0;
    window_.framebuffer_size(width, height);
    gl::view_all(width, height);
    gl::clear(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
              static_cast<float>(ground.b) / 255);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    window_.swap();
  }

  ui::Widgets widgets;
  ui::ViewCache cache;

 private:
  GlfwWindow& window_;
  ui::Fonts fonts_;
  TextureStore textures_;
  std::string font_file_;
  float body_px_ = 0;
  bool is_ready_ = false;
};

// How long ago the last frame of the step player was; 0 for its first one.
class PlayerClock {
 public:
  double tick(bool is_playing) {
    const auto now = std::chrono::steady_clock::now();
    const bool goes_on = is_playing && was_playing_;
    const double passed_s = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    was_playing_ = is_playing;
    return goes_on ? std::min(passed_s, kMostTickS) : 0;
  }

 private:
  std::chrono::steady_clock::time_point last_ = {};
  bool was_playing_ = false;
};

// What keys have asked for, for the trace.
struct Pressed {
  std::string action;  // the last one, without blanks
  int count = 0;
};

void handle(const WindowEvents& events, const WindowApp& app, const ui::UiModel& model,
            ui::ViewState& view, Pressed& pressed) {
  for (const std::string& path : events.dropped) app.run({"file.drop", {path}});
  const InFront front = {ImGui::GetIO().WantTextInput,
                         ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)};
  for (const RawKey& raw : events.keys) {
    const auto intent = press_key(raw.key, raw.place, model, view, front);
    if (!intent) continue;
    app.run(*intent);
    pressed.action = intent->action;
    std::replace(pressed.action.begin(), pressed.action.end(), ' ', '_');
    ++pressed.count;
  }
}

// Dear ImGui 1.86 looks at keys once a frame; one that was pressed and let go between two frames
// counts as down for the next one.
class KeyLatch {
 public:
  void press(const WindowEvents& events) {
    ImGuiIO& io = ImGui::GetIO();
    // Characters that came along would not be typed while Ctrl is down: better lose a chord.
    if (!io.InputQueueCharacters.empty()) return;
    for (const RawKey& raw : events.keys) {
      io.KeysDown[raw.code] = true;
      io.KeyCtrl = io.KeyCtrl || raw.key.ctrl;
      io.KeyShift = io.KeyShift || raw.key.shift;
      io.KeyAlt = io.KeyAlt || raw.key.alt;
      held_.push_back(raw.code);
    }
  }
  void release(const GlfwWindow& window) {
    if (held_.empty()) return;
    ImGuiIO& io = ImGui::GetIO();
    for (const int code : held_) io.KeysDown[code] = window.is_down(code);
    held_.clear();
    const auto either = [&window](int left, int right) {
      return window.is_down(left) || window.is_down(right);
    };
    io.KeyCtrl = either(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    io.KeyShift = either(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    io.KeyAlt = either(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
  }

 private:
  std::vector<int> held_;
};

// A hint is offered after a while, also to somebody who does nothing.
bool waits_for_hint(const ui::UiModel& model) {
  const auto& lesson = model.lesson;
  return lesson && lesson->has_checks && lesson->has_hint && lesson->hint.empty() &&
         !lesson->is_done;
}

double time_to_sleep(int frames_due, const Painter& painter, bool has_job, bool has_log,
                     bool is_playing) {
  if (frames_due > 0 || painter.cache.is_busy()) return 0;
  if (is_playing) return kPlayS;
  if (ImGui::GetIO().WantTextInput || has_job) return kBlinkS;
  return has_log ? kFollowS : kSleepS;
}

std::string state_of(const ui::UiModel& model, const ui::ViewState& view, const Pressed& pressed) {
  std::string state = std::to_string(model.revision) + (model.is_stale ? " stale" : "") +
                      (model.job ? " busy" : "") + (model.scene ? " open" : "");
  state += fmt::format(" view={} range={:.6g}:{:.6g} font={} popup={}", ui::view_of(view.tab).word,
                       view.axis.first, view.axis.span, view.font_px, static_cast<int>(view.popup));
  if (view.player) {
    state += fmt::format(" player={:.6g}{}", *view.player, view.is_playing ? " playing" : "");
  }
  if (view.selected) state += fmt::format(" selected={}", view.selected->op.index());
  if (pressed.count > 0) state += fmt::format(" pressed={}#{}", pressed.action, pressed.count);
  return state;
}

// While it lives, a window can be woken.
struct Awake {
  Awake() { waker().open(glfwPostEmptyEvent); }
  ~Awake() { waker().close(); }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;
};

void loop(GlfwWindow& window, Painter& painter, const WindowApp& app, ui::ViewState& view) {
  Trace trace = Trace::from_environment();
  KeyLatch latch;
  Pressed pressed;
  PlayerClock clock;
  int frames_due = kFramesAfterEvent;
  bool is_saved = true, was_down = false, has_job = false, has_log = false;
  std::uint64_t shown_revision = 0;
  while (!app.is_done()) {
    const WindowEvents events =
        window.wait(time_to_sleep(frames_due, painter, has_job, has_log, view.is_playing));
    if (window.take_close()) {
      app.ask_to_quit();
      frames_due = kFramesAfterEvent;
    }
    view.scale = window.content_scale();
    const ui::UiModel* model = &app.refresh();
    handle(events, app, *model, view, pressed);
    if (!events.keys.empty() || !events.dropped.empty()) model = &app.refresh();
    const bool is_new = model->revision != shown_revision || model->job.has_value() != has_job;
    shown_revision = model->revision;
    has_job = model->job.has_value();
    has_log = model->log != nullptr;
    if (events.any || is_new) {
      frames_due = kFramesAfterEvent;
      is_saved = false;
    } else if (frames_due == 0 && !is_saved) {
      app.save();
      is_saved = true;
    }
    const bool blinks = ImGui::GetIO().WantTextInput;
    const double passed_s = clock.tick(view.is_playing);
    const bool is_idle = frames_due == 0 && !painter.cache.is_busy() && !has_job && !blinks;
    if (is_idle && !view.is_playing && !waits_for_hint(*model)) continue;
    ui::advance_player(view, model->scene ? model->scene->levels->count() : 0, passed_s);
    if (frames_due > 0) --frames_due;
    ui::Intents intents;
    latch.press(events);
    const float lesson_px = view.lesson.height_px;
    painter.frame(*model, view, intents);
    // The rest of the window has to make room for what the bar of a lesson says now.
    if (std::abs(view.lesson.height_px - lesson_px) >= 1) frames_due = kFramesAfterEvent;
    latch.release(window);
    trace.write_keys(model->actions);
    trace.write(painter.widgets.items(), state_of(*model, view, pressed));
    for (const ui::Intent& intent : intents) app.run(intent);
    if (!intents.empty()) frames_due = kFramesAfterEvent;
    const bool is_down = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (was_down && !is_down) app.end_gesture();
    was_down = is_down;
    if (const std::string text = app.take_clipboard(); !text.empty())
      ImGui::SetClipboardText(text.c_str());
  }
}

}  // namespace

Result<WindowPlace> show_window(const WindowApp& app, ui::ViewState& view,
                                const WindowPlace& place) {
  TIDELINE_TRY(const std::unique_ptr<GlfwWindow> window, GlfwWindow::create(place));
  watch_display();
  const ui::ImGuiScope scope;
  view.scale = window->content_scale();
  // Letters first: the texture is made from them when the painter begins.
  ui::load_chosen_fonts(*ImGui::GetIO().Fonts, view.font_px * view.scale, view.font_file);
  Painter painter(*window);
  if (!painter.is_ready())
    return fail(Code::kUnsupported, "OpenGL 3.3 could not be loaded; expected libGL (libgl1)");
  const Awake awake;  // goes before the window does
  loop(*window, painter, app, view);
  return window->place();
}

void wake_window() {
  waker().wake();
}

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

}  // namespace tideline::gui
