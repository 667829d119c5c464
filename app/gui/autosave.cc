#include "app/gui/autosave.h"

#include <filesystem>
#include <system_error>

#include "app/session/copy_as.h"
#include "core/base/output_file.h"

namespace tideline::gui {

namespace {

// Empty if the command line cannot express the wish.
std::string unwritten_line(const session::GraphDocument& graph) {
  events::GraphChoice choice = graph.snapshot()->graph->request.graph;
  // The script lies elsewhere, and may be run from anywhere.
  std::error_code error;
  const auto whole = std::filesystem::absolute(choice.path, error);
  if (!error) choice.path = whole.lexically_normal().string();
  return session::command_line(choice, graph.wish(), session::output_beside(choice.path))
      .value_or(std::string());
}

}  // namespace

std::string unwritten_script(const session::Session& session) {
  std::string lines;
  for (const session::Session::Entry& entry : session.documents()) {
    const session::GraphDocument& graph = session.graph(entry.id);
    if (!graph.is_unwritten()) continue;
    const std::string line = unwritten_line(graph);
    if (!line.empty()) lines += line + "\n";
  }
  if (lines.empty()) return lines;
  return "#!/bin/sh\n# The last policies of the window, which were not written.\n" + lines;
}

std::string unwritten_path(const std::string& settings_path) {
  return (std::filesystem::path(settings_path).parent_path() / "unwritten.sh").string();
}

Status keep_unwritten(const session::Session& session, const std::string& settings_path) {
  if (settings_path.empty()) return {};
  const std::filesystem::path path = unwritten_path(settings_path);
  const std::string script = unwritten_script(session);
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
