// Filters lists by what the user typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/name_pattern.h"

namespace tideline::ui {

/// Filters a list by typed text: plain words match literally, ignoring case; text with other
/// characters is a regular expression. Empty text matches everything.
class TextFilter {
 public:
  void set(const std::string& text);
  [[nodiscard]] bool matches(std::string_view name) const;
  /// Why the text is not a valid regular expression, in which case everything matches; else empty.
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_, error_;
  std::optional<NamePattern> pattern_;
};

}  // namespace tideline::ui
