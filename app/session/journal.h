// What happened, for whoever looks: messages, the first failure, and a number that changes with
// everything that can be seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "render/model/ui_model.h"

namespace tideline::session {

/// Thread: the session's.
class Journal {
 public:
  [[nodiscard]] const std::vector<ui::Message>& messages() const { return messages_; }
  void say(ui::MessageKind kind, std::string text);
  /// Says why work beside failed, or that it was cancelled, and keeps it for take_failure.
  void report(const Error& error);
  /// The first error that was reported since the last call.
  [[nodiscard]] std::optional<Error> take_failure();

  /// Never the same for two states that differ in something that is shown.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  void touch() { ++revision_; }

 private:
  std::vector<ui::Message> messages_;
  std::optional<Error> failure_;
  std::uint64_t revision_ = 0;
};

}  // namespace tideline::session
