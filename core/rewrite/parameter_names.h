// How messages of the core name what the user gives, and how each user interface shows these names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tideline {

/// A message of the core (an error, a warning, a notice) names a parameter in braces,
/// "{guard-conditionals}". A user interface shows it as its users write it.
enum class Naming : std::uint8_t {
  kOption,  ///< "--guard-conditionals", of the command line
  kField,   ///< "'guard-conditionals'", of controls and scripts
};

/// `text` with the names of parameters as `naming` has them. Braces around other words, and within
/// a word, stay: they are part of a name or a path.
[[nodiscard]] std::string with_parameter_names(std::string_view text, Naming naming);

}  // namespace tideline
