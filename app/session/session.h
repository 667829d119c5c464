// What is open, for any number of lookers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "app/session/document.h"
#include "app/session/graph_document.h"
#include "app/session/journal.h"

namespace tideline::session {

/// Names a document of one session; no number is used twice.
enum class DocumentId : std::uint32_t { kNone = 0 };

/// Documents side by side, in the order in which they were opened, each with its own jobs, wish and
/// history. Knows nothing of how they are looked at (viewer.h). Thread: all members for one thread.
class Session {
 public:
  struct Entry {
    DocumentId id = DocumentId::kNone;
    const DocumentKind* kind = nullptr;
    std::unique_ptr<Document> document;
  };

  /// `wake` is called from other threads when `poll` has something to do; may be empty.
  explicit Session(std::function<void()> wake = {});

  [[nodiscard]] const std::vector<Entry>& documents() const { return documents_; }
  /// Null for a document that is gone.
  [[nodiscard]] const Entry* find(DocumentId id) const;
  /// The document that holds what `request` means; null when none does.
  [[nodiscard]] const Entry* find(const DocumentKind& kind,
                                  const events::GraphChoice& choice) const;
  /// The graph of the document; without one `nothing`.
  [[nodiscard]] GraphDocument& graph(DocumentId id) const;
  /// A graph that is never opened. What is wished of it begins the next one that is.
  [[nodiscard]] GraphDocument& nothing() const { return *nothing_; }
  [[nodiscard]] Journal& journal() { return journal_; }
  [[nodiscard]] const Journal& journal() const { return journal_; }

  /// Begins to open another document; what is open stays. One that cannot be opened is a failure in
  /// the journal, and is gone with the next `poll`.
  DocumentId open(const DocumentKind& kind, OpenRequest request, Wish wish = {});
  /// What it is writing is still written.
  void close(DocumentId id);

  /// Takes over what is done beside. Whether anything changed.
  bool poll();
  [[nodiscard]] bool is_busy() const;
  /// Until nothing is going on beside; for scripts.
  void wait();
  /// Until `poll` has something to do, or nothing is going on.
  void wait_for_one();

 private:
  Journal journal_;
  std::function<void()> wake_;
  std::unique_ptr<GraphDocument> nothing_;
  std::vector<Entry> documents_;
  std::vector<std::unique_ptr<Document>> closing_;  // until they have stopped
  std::uint32_t last_id_ = 0;
};

}  // namespace tideline::session
