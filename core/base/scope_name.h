// Name scopes: the components before the slashes of an op's name.
#pragma once

#include <string_view>

namespace tideline {

/// `scope` as it begins names: without slashes at its end.
[[nodiscard]] inline std::string_view without_slash(std::string_view scope) {
  while (scope.ends_with('/')) scope.remove_suffix(1);
  return scope;
}

/// Whether `scope`, as whole components, stands before a slash in `name`: "a/b" is below "a",
/// "ab/c" is not. Precondition: `scope` has no slash at its end.
[[nodiscard]] inline bool is_below(std::string_view name, std::string_view scope) {
  return name.size() > scope.size() && name.starts_with(scope) && name[scope.size()] == '/';
}

/// The same, or `name` is the scope itself.
[[nodiscard]] inline bool is_within(std::string_view name, std::string_view scope) {
  return name == scope || is_below(name, scope);
}

}  // namespace tideline
