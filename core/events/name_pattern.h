// A regular expression over names of runs and tags, as given on a command line.
#pragma once

#include <memory>
#include <regex>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::events {

/// Matches anywhere in a name, as TensorBoard's filters do. The syntax is that of ECMAScript
/// without back-references. Cheap to copy. Thread: immutable.
class NamePattern {
 public:
  /// Errors: kInvalidArgument for text that is not a regular expression, is longer than kMaxPattern
  /// bytes, or has counted repetitions of more than kMaxRepeats in all.
  [[nodiscard]] static Result<NamePattern> compile(std::string text);

  /// Only the first kMaxName bytes of a name are examined.
  /// Cost: O(name^2 x pattern), without backtracking.
  [[nodiscard]] bool matches(std::string_view name) const;
  [[nodiscard]] const std::string& text() const { return text_; }

  static constexpr std::size_t kMaxPattern = 200;
  static constexpr std::size_t kMaxName = 1024;
  static constexpr std::uint64_t kMaxRepeats = 1000;

 private:
  std::string text_;
  std::shared_ptr<const std::regex> regex_;
};

}  // namespace tideline::events
