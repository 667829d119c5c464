// What a self-check finds about one thing that the program needs or can use.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tideline::app {

struct CheckedPart {
  enum class State : unsigned char {
    kGood,
    kAbsent,   ///< not there, and nothing is wrong with that
    kProblem,  ///< there or asked for, and does not work
  };

  std::string name;  ///< "tensorflow"
  State state = State::kGood;
  std::string says = {};  ///< for people; may hold any characters
  /// Name and value, in the order in which they are shown.
  std::vector<std::pair<std::string, std::string>> facts = {};
};

}  // namespace tideline::app
