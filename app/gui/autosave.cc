#include "app/gui/autosave.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/session/copy_as.h"
#include "core/base/output_file.h"

namespace tideline::gui {

std::string unwritten_script(const session::App& app) {
  if (app.session.snapshot() == nullptr || !app.session.is_unwritten()) return "";
  events::GraphChoice choice = app.session.snapshot()->graph->request.graph;
  // The script lies elsewhere, and may be run from anywhere.
  std::error_code error;
  const auto whole = std::filesystem::absolute(choice.path, error);
  if (!error) choice.path = whole.lexically_normal().string();
  const auto line =
      session::command_line(choice, app.session.wish(), session::output_beside(choice.path));
  if (!line) return "";
  return fmt::format("#!/bin/sh\n# The last policy of the window, which was not written.\n{}\n",
                     *line);
}

std::string unwritten_path(const std::string& settings_path) {
  return (std::filesystem::path(settings_path).parent_path() / "unwritten.sh").string();
}

Status keep_unwritten(const session::App& app, const std::string& settings_path) {
  if (settings_path.empty()) return {};
  const std::filesystem::path path = unwritten_path(settings_path);
  const std::string script = unwritten_script(app);
  std::error_code error;
  if (script.empty()) {
    std::filesystem::remove(path, error);
    return {};
  }
  std::filesystem::create_directories(path.parent_path(), error);
  return write_file(path.string(), script, true);
}

std::string find_unwritten(const std::string& settings_path) {
  if (settings_path.empty()) return {};
  const std::filesystem::path folder = std::filesystem::path(settings_path).parent_path();
  const std::filesystem::path kept = folder / "unwritten-before.sh";
  std::error_code error;
  std::filesystem::rename(unwritten_path(settings_path), kept, error);
  return error ? std::string() : kept.string();
}

}  // namespace tideline::gui
