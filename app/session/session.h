// The open documents, which any number of viewers may share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "app/session/document.h"
#include "app/session/graph_document.h"
#include "app/session/journal.h"

namespace tideline::app {

/// Identifies a document of one session. Never reused.
enum class DocumentId : std::uint32_t { kNone = 0 };

/// The documents in the order of opening, each with its own jobs, wish and history. Does not depend
/// on how they are viewed (viewer.h). Thread: not shared.
class Session {
 public:
  struct Entry {
    DocumentId id = DocumentId::kNone;
    const DocumentKind* kind = nullptr;
    std::unique_ptr<SessionDocument> document;
  };

  /// `wake` is called from other threads when `poll` has something to do; may be empty. `shared`
  /// has the graphs of other sessions; may be null.
  explicit Session(std::function<void()> wake = {}, std::shared_ptr<SharedGraphs> shared = {});

  [[nodiscard]] const std::vector<Entry>& documents() const { return documents_; }
  /// Null for a closed document.
  [[nodiscard]] const Entry* find(DocumentId id) const;
  /// The document opened with this choice; null if there is none.
  [[nodiscard]] const Entry* find(const DocumentKind& kind,
                                  const events::GraphChoice& choice) const;
  /// The graph of the document; `nothing()` if it has none.
  [[nodiscard]] GraphDocument& graph(DocumentId id) const;
  /// A graph document that is never opened. Holds the first wish of the next graph.
  [[nodiscard]] GraphDocument& nothing() const { return *nothing_; }
  [[nodiscard]] Journal& journal() { return journal_; }
  [[nodiscard]] const Journal& journal() const { return journal_; }

  /// Starts opening another document. If that fails, the error goes to the journal, and `poll`
  /// removes the document.
  DocumentId open(const DocumentKind& kind, OpenRequest request, Wish wish = {});
  /// Closes the document; files that it is writing are still completed.
  void close(DocumentId id);

  /// Takes over the results of finished jobs. Returns whether anything changed.
  bool poll();
  [[nodiscard]] bool is_busy() const;
  /// Blocks until all jobs are finished; for scripts.
  void wait();
  /// Blocks until `poll` may have something to do, or no job is left.
  void wait_for_one();

 private:
  Journal journal_;
  std::function<void()> wake_;
  std::shared_ptr<SharedGraphs> shared_;
  std::unique_ptr<GraphDocument> nothing_;
  std::vector<Entry> documents_;
  std::vector<std::unique_ptr<SessionDocument>> closing_;  // until their jobs have ended
  std::uint32_t last_id_ = 0;
};

}  // namespace tideline::app
