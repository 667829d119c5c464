// The messages of a session, its first failure, and a revision number for redrawing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// Thread: the session's.
class Journal {
 public:
  [[nodiscard]] const std::vector<ui::Message>& messages() const { return messages_; }
  /// The message holds `text` without hidden characters (core/base/characters.h): it is one line.
  void say(ui::MessageKind kind, std::string_view text);
  /// Adds a message about a failed or cancelled job, and keeps the error for take_failure.
  void report(const Error& error);
  /// The first error reported since the last call.
  [[nodiscard]] std::optional<Error> take_failure();

  /// Different for any two states that look different.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  void touch() { ++revision_; }

 private:
  std::vector<ui::Message> messages_;
  std::optional<Error> failure_;
  std::uint64_t revision_ = 0;
};

}  // namespace tideline::app
