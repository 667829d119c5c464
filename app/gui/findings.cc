// Tested by golden/self_check_test.py.
#include "app/gui/findings.h"

#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "app/engine/guarded.h"
#include "app/gui/glfw_window.h"
#include "app/gui/window.h"
#include "app/session/settings.h"
#include "render/gl/offscreen.h"
#include "render/ui/fonts.h"

namespace tideline::gui {
namespace {

namespace fs = std::filesystem;
using app::CheckedPart;
using State = CheckedPart::State;

constexpr std::chrono::seconds kDisplayPatience{30};

// What the driver says of itself. A context is current.
void add_driver(CheckedPart& found) {
  const auto add = [&found](const char* name, GLenum which) {
    const auto* text = reinterpret_cast<const char*>(glGetString(which));
    found.facts.emplace_back(name, text == nullptr ? "" : text);
  };
  add("renderer", GL_RENDERER);
  add("vendor", GL_VENDOR);
  found.says = "OpenGL ";
  const auto* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
  found.says += version == nullptr ? "of no version" : version;
}

void add_variable(CheckedPart& found, const char* name) {
  const char* value = std::getenv(name);
  if (value != nullptr && *value != '\0') found.facts.emplace_back(name, value);
}

CheckedPart look_at_display() {
  CheckedPart found = {"window", State::kGood};
  add_variable(found, "DISPLAY");
  add_variable(found, "WAYLAND_DISPLAY");
  found.facts.emplace_back("glfw", glfwGetVersionString());
  found.facts.emplace_back("imgui", IMGUI_VERSION);
  if (!has_display()) {
    found.state = State::kAbsent;
    found.says = "neither DISPLAY nor WAYLAND_DISPLAY is set";
    return found;
  }
  const auto window = GlfwWindow::create({});  // stays hidden
  if (!window) {
    found.state = State::kProblem;
    found.says = window.error().message;
    return found;
  }
  add_driver(found);
  return found;
}

CheckedPart look_at_pictures() {
  CheckedPart found = {"pictures", State::kGood};
  const auto context = gl::OffscreenContext::create();
  if (!context) {
    found.state = State::kAbsent;
    found.says = context.error().message + "; render draws SVG without it";
    return found;
  }
  add_driver(found);
  return found;
}

// Dear ImGui ends the program at some fonts, so this is guarded, too.
CheckedPart look_at_fonts(const std::string& chosen) {
  CheckedPart found = {"fonts", State::kGood, "DejaVu Sans"};
  if (!chosen.empty()) found.says = chosen;
  const ui::Typefaces usual = ui::usual_typefaces();
  std::error_code ignored;
  for (const std::string& file : {usual.regular, usual.bold, usual.code}) {
    const bool is_there = fs::exists(file, ignored);
    found.facts.emplace_back(fs::path(file).filename(), is_there ? file : "not found");
    if (is_there || !chosen.empty()) continue;
    found.state = State::kAbsent;
    found.says = "the built-in font takes the place of files that are not found";
  }
  ImFontAtlas atlas;
  constexpr float kUsualPx = 15;
  const ui::Fonts fonts = ui::load_chosen_fonts(atlas, kUsualPx, chosen);
  if (!fonts.problem.empty()) {
    found.state = State::kProblem;
    found.says = fonts.problem;
  }
  return found;
}

// Whether the folder of the settings can be written or made: the nearest folder above that exists
// says so.
CheckedPart settings(const std::string& path) {
  CheckedPart found = {"settings", State::kGood};
  if (path.empty()) {
    found.state = State::kProblem;
    found.says = "there is no place for settings: HOME is not set";
    return found;
  }
  const fs::path folder = fs::path(path).parent_path();
  found.facts.emplace_back("folder", folder);
  fs::path nearest = folder;
  std::error_code error;
  while (!fs::exists(nearest, error) && nearest.has_relative_path()) {
    nearest = nearest.parent_path();
  }
  const bool is_folder = fs::is_directory(nearest, error);
  if (!is_folder || ::access(nearest.c_str(), W_OK | X_OK) != 0) {
    found.state = State::kProblem;
    found.says = fmt::format("{}: cannot be written: {}", nearest.native(),
                             is_folder ? std::strerror(errno) : "is no folder");
    return found;
  }
  found.says = nearest == folder ? "can be written" : "can be made";
  return found;
}

}  // namespace

std::vector<CheckedPart> findings_of_window() {
  const std::string path = app::settings_path(std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME"));
  const std::string font = app::load_settings(path).font_file;
  return {app::guarded("window", kDisplayPatience, look_at_display),
          app::guarded("pictures", kDisplayPatience, look_at_pictures),
          app::guarded("fonts", kDisplayPatience, [&font] { return look_at_fonts(font); }),
          settings(path)};
}

}  // namespace tideline::gui
