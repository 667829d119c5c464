// Parameter values by name, as passed between the user interfaces and the core.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/rewrite/parameter.h"

namespace tideline {

/// Holds only values that differ from the defaults, so that equal settings compare equal however
/// they were made. Names that a rewriter does not have are kept without effect, so that a user can
/// switch between rewriters and back.
class Values {
 public:
  /// The value of `parameter`, or its default.
  [[nodiscard]] Value get(const Parameter& parameter) const;
  /// Sets the value, or removes it if it equals the default. Precondition: it is of the right kind.
  void set(const Parameter& parameter, Value value);

  /// The value of a list parameter; empty if not set.
  [[nodiscard]] std::vector<std::string> names(const Parameter& parameter) const;

  friend bool operator==(const Values&, const Values&) = default;

 private:
  std::map<std::string, Value, std::less<>> by_name_;
};

}  // namespace tideline
