// Tested by unit/rewrite/warning_test.cc.
#include "core/rewrite/parameter_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/rewrite/rewriter.h"

namespace tideline {
namespace {

// What is given beside the parameters of a rewriter: of the graph, the budget and the output.
constexpr std::array<std::string_view, 11> kGeneral = {
    "batch-size",   "shape", "rounds", "device-memory", "host-memory", "memory-ratio",
    "run-metadata", "fetch", "model",  "plan",          "force"};

bool is_parameter(std::string_view name) {
  if (std::find(kGeneral.begin(), kGeneral.end(), name) != kGeneral.end()) return true;
  const auto all = rewriters();
  return std::any_of(all.begin(), all.end(),
                     [name](const Rewriter* entry) { return entry->find(name) != nullptr; });
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
    if (!is_parameter(name)) {
      made += '{';
      text.remove_prefix(open + 1);
      continue;
    }
    made += named(name, naming);
    text.remove_prefix(close + 1);
  }
  return made += text;
}

std::string with_fields_for_options(std::string_view text) {
  constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyz0123456789-";
  std::string made;
  for (std::size_t at = 0; (at = text.find("--")) != std::string_view::npos;) {
    const std::size_t begin = at + 2;
    const std::size_t end = std::min(text.find_first_not_of(kOfNames, begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const bool is_word = at == 0 || kOfNames.find(text[at - 1]) == std::string_view::npos;
    made += text.substr(0, at);
    if (is_word && is_parameter(name)) {
      made += named(name, Naming::kField);
    } else {
      made += text.substr(at, end - at);
    }
    text.remove_prefix(end);
  }
  return made += text;
}

}  // namespace tideline
