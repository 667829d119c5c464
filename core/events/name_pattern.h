// A regular expression over names of runs and tags, as given on a command line.
#pragma once

#include <memory>
#include <regex>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::events {

/// Matches a name when it is found anywhere in it, as TensorBoard's filters do. The syntax is that
/// of ECMAScript without back references. Cheap to copy. Thread: pure.
class NamePattern {
 public:
  /// Errors: kInvalidArgument for a text that is no regular expression, longer than kMaxPattern
  /// bytes, or that repeats more than kMaxRepeats times by counts.
  [[nodiscard]] static Result<NamePattern> compile(std::string text);

  /// Of a long name only the first kMaxName bytes are looked at.
  /// Cost: O(name^2 * pattern), no back-tracking.
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
