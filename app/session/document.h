// An open document of any kind, and the table of kinds.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/engine/opened_graph.h"
#include "app/engine/optimize.h"
#include "app/engine/shared_graphs.h"
#include "app/session/jobs.h"
#include "app/session/journal.h"
#include "app/session/wish.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// Only `wait` and `wait_for_one` block: each document has its own background jobs, and `poll`
/// takes over their results. Thread: the session's.
class SessionDocument {
 public:
  SessionDocument() = default;
  virtual ~SessionDocument() = default;
  SessionDocument(const SessionDocument&) = delete;
  SessionDocument& operator=(const SessionDocument&) = delete;

  /// The request that opened it, or is opening it.
  [[nodiscard]] virtual const OpenRequest& request() const = 0;
  /// Whether it was read, so that there is something to show.
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Whether closing it loses changes.
  [[nodiscard]] virtual bool is_unwritten() const { return false; }
  /// Fills the parts of the model that belong to its kind (for graphs see ui_model.cc).
  virtual void show_in(ui::UiModel& model) const = 0;
  /// Cancels all jobs but writing, and forgets the contents.
  virtual void close() = 0;

  /// Takes over the results of finished jobs. Returns whether anything changed.
  bool poll() {
    const bool has_news = take_news();
    return jobs().take() || has_news;
  }
  [[nodiscard]] bool is_busy() const { return !jobs().is_idle(); }
  [[nodiscard]] std::optional<ui::JobStatus> job() const { return jobs().status(); }
  void cancel() { jobs().cancel(); }
  /// Blocks until all jobs are finished; for scripts.
  void wait();
  /// Blocks until `poll` has something to do, or no job is left.
  void wait_for_one() { jobs().wait(); }

 protected:
  /// For what comes while a job still runs, or without one. Returns whether anything changed.
  virtual bool take_news() { return false; }
  [[nodiscard]] virtual Jobs& jobs() = 0;
  [[nodiscard]] virtual const Jobs& jobs() const = 0;
};

/// The last component of `path`: "run" for "logs/run/".
[[nodiscard]] std::string file_name(const std::string& path);

/// The surroundings of a document. The journal outlives it; `wake`, which may be empty, is called
/// from another thread when `poll` has something to do.
struct DocumentPlace {
  Journal& journal;
  std::function<void()> wake = {};
  std::shared_ptr<SharedGraphs> shared = {};  ///< null: every graph is read anew
  AskOptimizer optimizer = {};                ///< empty: the installed TensorFlow
};

/// An entry of the table of kinds. A new kind needs a class and an entry.
struct DocumentKind {
  std::string_view id;    ///< "log": as in scripts
  std::string_view help;  ///< "an event log: its curves, graphs and traced steps"
  /// Starts opening the document; `wish` is the first wish of a graph.
  std::unique_ptr<SessionDocument> (*open)(DocumentPlace place, OpenRequest request, Wish wish);
};
/// What a user means who opens `path` without a kind: a log if it is an event file, or a folder
/// with event files in it or, unless it has a checkpoint, below it; a checkpoint if it names
/// one (find_checkpoint.h) or is a folder with one; else a graph, as a folder with a SavedModel
/// always is. Looks at names, and at beginnings and ends of files.
[[nodiscard]] const DocumentKind& kind_of_path(const std::string& path);
/// Null if there is no such kind.
[[nodiscard]] const DocumentKind* find_document_kind(std::string_view id);
/// "graph, log or checkpoint".
[[nodiscard]] std::string document_kind_ids();

}  // namespace tideline::app
