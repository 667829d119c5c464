// Tested by tests/gui/autosave_test.cc and tests/gui/lost_display_test.py.
#include "app/gui/autosave.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "app/actions/copy_as.h"
#include "app/session/unwritten.h"
#include "core/base/output_file.h"
#include "core/base/parse.h"

namespace tideline::gui {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "unwritten-";
constexpr std::string_view kEnd = ".sh";

// "unwritten-1234.sh": 1234.
std::optional<pid_t> window_of(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return std::nullopt;
  name.remove_prefix(kBegin.size());
  name.remove_suffix(kEnd.size());
  return parse_as<pid_t>(name);
}

// Whether another process of this number and program runs; the number alone may be used again.
bool is_open(pid_t window) {
  if (window == ::getpid()) return false;
  std::error_code error;
  const fs::path theirs = fs::read_symlink(fmt::format("/proc/{}/exe", window), error);
  if (error) return false;
  return theirs.filename() == fs::read_symlink("/proc/self/exe", error).filename();
}

// The first name that is free, else the name of the oldest script.
fs::path place_to_keep(const fs::path& folder) {
  fs::path oldest;
  fs::file_time_type least = fs::file_time_type::max();
  for (int i = 1; i <= kMostKept; ++i) {
    fs::path place = folder / fmt::format("unwritten-before-{}.sh", i);
    std::error_code error;
    const auto time = fs::last_write_time(place, error);
    if (error) return place;
    if (time < least) {
      least = time;
      oldest = place;
    }
  }
  return oldest;
}

// Empty if the command line cannot express the wish.
std::string unwritten_line(const app::GraphDocument& graph) {
  events::GraphChoice choice = graph.snapshot()->graph->request.graph;
  events::TraceChoice trace = graph.trace();
  // The script lies elsewhere, and may be run from anywhere.
  for (std::string* path : {&choice.path, &trace.path}) {
    std::error_code error;
    const auto whole = path->empty() ? fs::path() : fs::absolute(*path, error);
    if (!error) *path = whole.lexically_normal().string();
  }
  return app::command_line(choice, trace, graph.wish(), app::output_beside(choice.path),
                           app::Reader::kScript)
      .value_or(std::string());
}

}  // namespace

std::string unwritten_script(const app::Session& session) {
  std::string lines;
  for (const app::Session::Entry& entry : session.documents()) {
    const app::GraphDocument& graph = session.graph(entry.id);
    if (!graph.is_unwritten()) continue;
    const std::string line = unwritten_line(graph);
    lines += app::unwritten_comment(graph) + "\n";  // from which a window takes it up
    if (!line.empty()) lines += line + "\n";
  }
  if (lines.empty()) return lines;
  return "#!/bin/sh\n# The last policies of the window, which were not written.\n" + lines;
}

std::string unwritten_path(const std::string& settings_path) {
  const std::string name = fmt::format("{}{}{}", kBegin, ::getpid(), kEnd);
  return (fs::path(settings_path).parent_path() / name).string();
}

Status keep_unwritten(const app::Session& session, const std::string& settings_path) {
  if (settings_path.empty()) return {};
  const fs::path path = unwritten_path(settings_path);
  const std::string script = unwritten_script(session);
  std::error_code error;
  if (script.empty()) {
    fs::remove(path, error);
    return {};
  }
  fs::create_directories(path.parent_path(), error);
  return write_file(path.string(), script, true, Readers{0700, {}});
}

std::vector<std::string> find_unwritten(const std::string& settings_path) {
  std::vector<std::string> found;
  if (settings_path.empty()) return found;
  const fs::path folder = fs::path(settings_path).parent_path();
  std::vector<fs::path> left;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto window = window_of(entry->path().filename().native());
    if (window && !is_open(*window)) left.push_back(entry->path());
  }
  std::sort(left.begin(), left.end());
  for (const fs::path& script : left) {
    const fs::path kept = place_to_keep(folder);
    // Fails if another window, opened at the same time, was faster.
    fs::rename(script, kept, error);
    if (!error) found.push_back(kept.string());
  }
  return found;
}

}  // namespace tideline::gui
