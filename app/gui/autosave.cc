#include "app/gui/autosave.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/session/copy_as.h"
#include "core/base/output_file.h"

namespace tideline::gui {

std::string unwritten_script(const session::App& app) {
  if (app.session.snapshot() == nullptr || !app.session.is_unwritten()) return "";
  const events::GraphChoice& choice = app.session.snapshot()->graph->request.graph;
  const auto line =
      session::command_line(choice, app.session.wish(), session::output_beside(choice.path));
  if (!line) return "";
  return fmt::format(
      "#!/bin/sh\n# The policy that the window showed last, and had not written.\n{}\n", *line);
}

Status keep_unwritten(const session::App& app, const std::string& settings_path) {
  if (settings_path.empty()) return {};
  const std::filesystem::path path =
      std::filesystem::path(settings_path).parent_path() / "unwritten.sh";
  const std::string script = unwritten_script(app);
  std::error_code error;
  if (script.empty()) {
    std::filesystem::remove(path, error);
    return {};
  }
  std::filesystem::create_directories(path.parent_path(), error);
  return write_file(path.string(), script, true);
}

}  // namespace tideline::gui
