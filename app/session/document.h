// Something that is open, of whatever kind, and the table of kinds.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/session/jobs.h"
#include "app/session/journal.h"
#include "app/session/opened_graph.h"
#include "app/session/wish.h"
#include "render/model/ui_model.h"

namespace tideline::session {

/// Nothing here waits, but `wait`: work goes on beside, with jobs of its own for each document, and
/// `poll` takes over what is done. Thread: all members for one thread.
class Document {
 public:
  Document() = default;
  virtual ~Document() = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// What it was opened from, or is being opened from.
  [[nodiscard]] virtual const OpenRequest& request() const = 0;
  /// Whether there is anything to show: not before it was read, nor when it cannot be read.
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Whether something would be lost with it.
  [[nodiscard]] virtual bool is_unwritten() const { return false; }
  /// Adds what it alone shows; a graph adds nothing here (ui_model.cc).
  virtual void show_in(ui::UiModel& model) const = 0;
  /// Drops all work but writing. After it there is nothing to show.
  virtual void close() = 0;

  /// Takes over what is done beside. Whether anything changed.
  bool poll() { return jobs().take(); }
  [[nodiscard]] bool is_busy() const { return !jobs().is_idle(); }
  [[nodiscard]] std::optional<ui::JobStatus> job() const { return jobs().status(); }
  void cancel() { jobs().cancel(); }
  /// Until nothing is going on beside; for scripts.
  void wait();
  /// Until `poll` has something to do, or nothing is going on.
  void wait_for_one() { jobs().wait(); }

 protected:
  [[nodiscard]] virtual Jobs& jobs() = 0;
  [[nodiscard]] virtual const Jobs& jobs() const = 0;
};

/// The last name of `path`; of "logs/run/" it is "run".
[[nodiscard]] std::string file_name(const std::string& path);

/// What a document works with: where it says what happened, and whom it wakes, from another thread,
/// when `poll` has something to do. The journal outlives it; `wake` may be empty.
struct DocumentPlace {
  Journal& journal;
  std::function<void()> wake = {};
};

/// A line of the table of kinds. Another kind is a class and a line.
struct DocumentKind {
  std::string_view id;    ///< "log": the word of scripts
  std::string_view help;  ///< "an event log: its graphs and traced steps"
  /// Begins to open; `wish` is what a graph is to begin with.
  std::unique_ptr<Document> (*open)(DocumentPlace place, OpenRequest request, Wish wish);
};
[[nodiscard]] std::span<const DocumentKind> document_kinds();
/// Null when there is none of that id.
[[nodiscard]] const DocumentKind* find_document_kind(std::string_view id);
/// "graph or log".
[[nodiscard]] std::string document_kind_ids();

}  // namespace tideline::session
