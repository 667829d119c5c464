// A regular expression over names of runs, tags, ops and tensors, as a user typed it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace re2 {
class RE2;
}

namespace tideline {

/// Matches anywhere in a name, as TensorBoard's filters do. The syntax is that of RE2, which has
/// neither back-references nor look-ahead. Cheap to copy. Thread: immutable.
class NamePattern {
 public:
  /// Errors: kInvalidArgument for text that is no regular expression, or one that takes more than
  /// RE2's limit of 8 MiB.
  [[nodiscard]] static Result<NamePattern> compile(std::string_view text);

  /// Cost: O(name x pattern).
  [[nodiscard]] bool matches(std::string_view name) const;
  [[nodiscard]] const std::string& text() const;

 private:
  explicit NamePattern(std::shared_ptr<const re2::RE2> regex) : regex_(std::move(regex)) {}
  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace tideline
