#include "app/cli/window.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/cli/terminal.h"

namespace tideline::cli {

std::optional<std::vector<std::string>> window_paths(int argc, char** argv, const Command& app) {
  if (argc < 2) return std::vector<std::string>();
  const std::string first = argv[1];
  if (first.empty() || first.starts_with('-')) return std::nullopt;
  for (const Command& verb : app.subcommands()) {
    if (verb.name() == first) return std::nullopt;
  }
  std::error_code ignored;
  // A checkpoint is called by its prefix.
  if (!std::filesystem::exists(first, ignored) &&
      !std::filesystem::exists(first + ".index", ignored)) {
    return std::nullopt;
  }
  return std::vector<std::string>(argv + 1, argv + argc);
}

int run_window(const std::vector<std::string>& paths, const Front& front) {
  if (!front.run_window) {
    return report_usage({Code::kUnsupported,
                         "a verb is missing, and this build has no window; expected one of those "
                         "that tideline --help lists"});
  }
  if (!front.has_display()) {
    return report(
        {Code::kUnsupported,
         "no window can be opened: neither DISPLAY nor WAYLAND_DISPLAY is set; pictures without a "
         "display: tideline render, all verbs: tideline --help"});
  }
  return front.run_window(paths, was_interrupted);
}

}  // namespace tideline::cli
