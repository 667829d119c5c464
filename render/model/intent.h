// What the user asked for, as data: an action's id and its arguments, the same words that a script
// has on one line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tideline::ui {

/// `action` is an id of the table of actions ("policy.set"), `arguments` what stands behind it.
struct Intent {
  std::string action;
  std::vector<std::string> arguments = {};
  friend bool operator==(const Intent&, const Intent&) = default;
};

using Intents = std::vector<Intent>;

}  // namespace tideline::ui
