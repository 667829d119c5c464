// How texts of the core name parameters, and how each user interface shows these names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tideline {

/// A message of the core names a parameter in braces, "{guard-conditionals}". A user interface
/// shows it as its users write it.
enum class Naming : std::uint8_t {
  kOption,  ///< "--guard-conditionals", of the command line
  kField,   ///< "'guard-conditionals'", of controls and scripts
};

/// `text` with the names of parameters as `naming` has them. Braces around other words stay: they
/// are part of a name or a path.
[[nodiscard]] std::string with_parameter_names(std::string_view text, Naming naming);

/// An error of a rewriter, which names parameters as options of the command line, for user
/// interfaces that have fields: "--scopes" becomes "'scopes'". Other options stay.
[[nodiscard]] std::string with_fields_for_options(std::string_view text);

}  // namespace tideline
