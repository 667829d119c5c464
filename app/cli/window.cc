#include "app/cli/window.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/checkpoint/find_checkpoint.h"

namespace tideline::cli {

std::optional<Result<ui::Intents>> window_actions(int argc, char** argv, const Command& app) {
  if (argc < 2) return ui::Intents();
  const std::string first = argv[1];
  if (first.empty() || first.starts_with('-')) return std::nullopt;
  for (const Command& verb : app.subcommands()) {
    if (verb.name() == first) return std::nullopt;
  }
  std::error_code ignored;
  // A checkpoint is called by its prefix.
  if (!std::filesystem::exists(first, ignored) && !checkpoint::names_checkpoint(first)) {
    return std::nullopt;
  }
  ui::Intents actions;
  constexpr std::string_view kFunction = "--function";
  for (int i = 1; i < argc; ++i) {
    const std::string_view file = argv[i];
    std::optional<std::string_view> function;
    if (file == kFunction && i + 1 < argc) function = argv[++i];
    if (file.starts_with("--function=")) function = file.substr(kFunction.size() + 1);
    if (function && !function->empty()) {  // of the file in front of it
      actions.back().arguments = {actions.back().arguments.front(), std::string(*function)};
      continue;
    }
    if (file.starts_with('-') && !std::filesystem::exists(file, ignored)) {
      return fail(Code::kInvalidArgument,
                  "'{}' is an option, and the window takes files and, behind a graph, --function "
                  "NAME; what a verb takes as options is set in the window",
                  printable(file));
    }
    actions.push_back({"file.open", {argv[i]}});
  }
  if (argc > 2) actions.push_back({"document.show", {"1"}});  // the first one
  return actions;
}

int run_window(const ui::Intents& first, const Front& front) {
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
  return front.run_window(first, was_interrupted);
}

}  // namespace tideline::cli
