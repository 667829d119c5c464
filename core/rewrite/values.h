// The values that a user gave a rewriter, by name: what travels between the fronts and the core.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/rewrite/parameter.h"

namespace tideline {

/// Holds only what differs from the defaults, so that equal wishes are equal values whatever way
/// they were made. Names that a rewriter does not have are kept and do nothing: one can change
/// between rewriters and back.
class Values {
 public:
  /// The value of `parameter`, or its default.
  [[nodiscard]] Value get(const Parameter& parameter) const;
  void set(const Parameter& parameter, Value value);

  /// For parameters that every rewriter may have. Missing: an empty list.
  [[nodiscard]] std::vector<std::string> names(const Parameter& parameter) const;

  friend bool operator==(const Values&, const Values&) = default;

 private:
  std::map<std::string, Value, std::less<>> by_name_;
};

}  // namespace tideline
