// Tested by unit/rewrite/warning_test.cc.
#include "core/rewrite/parameter_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/rewrite/rewriter.h"

namespace tideline {
namespace {

// What is given beside the parameters of a rewriter: of the graph, the budget and the output.
constexpr auto kGeneral = std::to_array<std::string_view>(
    {"batch-size", "shape", "rounds", "branch",     "device-memory", "host-memory", "memory-ratio",
     "fetch",      "model", "force",  "run",        "tag",           "meta-graph",  "debug-info",
     "feed",       "train", "init",   "op-library", "step-limit",    "save",        "from"});

bool is_parameter(std::string_view name) {
  if (std::find(kGeneral.begin(), kGeneral.end(), name) != kGeneral.end()) return true;
  const auto all = rewriters();
  return std::any_of(all.begin(), all.end(),
                     [name](const Rewriter* entry) { return entry->find(name) != nullptr; });
}

// Whether a word between `before` and `after` is one of a sentence, not a part of a path.
bool stands_alone(char before, std::string_view after) {
  if (before != ' ' && before != '(') return false;
  if (after.starts_with('.')) after.remove_prefix(1);
  return after.empty() || std::string_view(" :,;)'").find(after.front()) != std::string_view::npos;
}

std::string named(std::string_view name, Naming naming) {
  return naming == Naming::kOption ? fmt::format("--{}", name) : fmt::format("'{}'", name);
}

}  // namespace

std::string with_parameter_names(std::string_view text, Naming naming) {
  std::string made;
  for (std::size_t open = 0; (open = text.find('{')) != std::string_view::npos;) {
    made += text.substr(0, open);
    const std::size_t close = text.find('}', open);
    const std::string_view name =
        close == std::string_view::npos ? "" : text.substr(open + 1, close - open - 1);
    const std::string_view before =
        made.empty() ? " " : std::string_view(made).substr(made.size() - 1);
    if (!is_parameter(name) || !stands_alone(before.front(), text.substr(close + 1))) {
      made += '{';
      text.remove_prefix(open + 1);
      continue;
    }
    made += named(name, naming);
    text.remove_prefix(close + 1);
  }
  return made += text;
}

}  // namespace tideline
