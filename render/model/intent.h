// What the user asked for, as data: the id of an action and its arguments, as on a line of a
// script.
#pragma once

#include <string>
#include <vector>

namespace tideline::ui {

/// `action` is an id in the table of actions, such as "policy.set".
struct Intent {
  std::string action;
  std::vector<std::string> arguments = {};
  friend bool operator==(const Intent&, const Intent&) = default;
};

using Intents = std::vector<Intent>;

}  // namespace tideline::ui
