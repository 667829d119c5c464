// What is open, for any number of lookers.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/session/graph_document.h"
#include "app/session/journal.h"

namespace tideline::session {

/// Nothing here waits, but `wait`: work goes on beside, and `poll` takes over what is done. Knows
/// nothing of how it is looked at (viewer.h). Thread: all members for one thread.
class Session {
 public:
  /// `wake` is called from other threads when `poll` has something to do; may be empty.
  explicit Session(std::function<void()> wake = {});

  [[nodiscard]] GraphDocument& graph() { return graph_; }
  [[nodiscard]] const GraphDocument& graph() const { return graph_; }
  [[nodiscard]] Journal& journal() { return journal_; }
  [[nodiscard]] const Journal& journal() const { return journal_; }

  /// Takes over what is done beside. Whether anything changed.
  bool poll() { return graph_.poll(); }
  [[nodiscard]] bool is_busy() const { return graph_.is_busy(); }
  /// Until nothing is going on beside; for scripts.
  void wait() { graph_.wait(); }
  /// Until `poll` has something to do, or nothing is going on.
  void wait_for_one() { graph_.wait_for_one(); }

 private:
  Journal journal_;
  GraphDocument graph_;
};

}  // namespace tideline::session
