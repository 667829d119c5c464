// Tested by unit/session/graph_document_test.cc and unit/engine/say_test.cc.
#include "app/session/journal.h"

#include <utility>

#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostMessages = 200;

}  // namespace

void Journal::say(ui::MessageKind kind, std::string_view text) {
  messages_.push_back(
      {kind, printable(with_parameter_names(text, Naming::kField), std::string_view::npos)});
  if (messages_.size() > kMostMessages) messages_.erase(messages_.begin());
  touch();
}

void Journal::report(const Error& error) {
  if (error.code == Code::kCancelled) {
    say(ui::MessageKind::kInfo, "cancelled");
  } else {
    say(ui::MessageKind::kError, error.message);
  }
  if (!failure_) failure_ = error;
}

std::optional<Error> Journal::take_failure() {
  return std::exchange(failure_, std::nullopt);
}

}  // namespace tideline::app
