// Tested by unit/session/session_test.cc.
#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "app/engine/outputs.h"

namespace tideline::app {
namespace {

bool is_same(const events::GraphChoice& a, const events::GraphChoice& b) {
  return a.function == b.function && a.run == b.run && a.tag == b.tag &&
         a.meta_graph == b.meta_graph && a.inlines == b.inlines && a.debug_info == b.debug_info &&
         (a.path == b.path || place_of(a.path) == place_of(b.path));
}

}  // namespace

Session::Session(std::function<void()> wake, std::shared_ptr<SharedGraphs> shared)
    : wake_(std::move(wake)),
      shared_(std::move(shared)),
      nothing_(std::make_unique<GraphDocument>(DocumentPlace{journal_, wake_})) {}

const Session::Entry* Session::find(DocumentId id) const {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [&](const Entry& entry) { return entry.id == id; });
  return found == documents_.end() ? nullptr : &*found;
}

const Session::Entry* Session::find(const DocumentKind& kind,
                                    const events::GraphChoice& choice) const {
  const auto found = std::find_if(documents_.begin(), documents_.end(), [&](const Entry& entry) {
    return entry.kind->id == kind.id && is_same(entry.document->request().graph, choice);
  });
  return found == documents_.end() ? nullptr : &*found;
}

GraphDocument& Session::graph(DocumentId id) const {
  const Entry* entry = find(id);
  auto* graph = entry == nullptr ? nullptr : dynamic_cast<GraphDocument*>(entry->document.get());
  return graph == nullptr ? *nothing_ : *graph;
}

DocumentId Session::open(const DocumentKind& kind, OpenRequest request, Wish wish) {
  const DocumentId id{++last_id_};
  documents_.push_back(
      {id, &kind, kind.open({journal_, wake_, shared_}, std::move(request), std::move(wish))});
  journal_.touch();
  return id;
}

void Session::close(DocumentId id) {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [&](const Entry& entry) { return entry.id == id; });
  if (found == documents_.end()) return;
  found->document->close();
  closing_.push_back(std::move(found->document));
  documents_.erase(found);
  journal_.touch();
}

bool Session::poll() {
  bool has_changed = false;
  for (const Entry& entry : documents_) has_changed = entry.document->poll() || has_changed;
  for (const auto& document : closing_) has_changed = document->poll() || has_changed;
  const auto stopped =
      std::erase_if(closing_, [](const auto& document) { return !document->is_busy(); });
  const auto failed = std::erase_if(documents_, [](const Entry& entry) {
    return !entry.document->is_open() && !entry.document->is_busy();
  });
  if (failed > 0) journal_.touch();
  return has_changed || stopped > 0 || failed > 0;
}

bool Session::is_busy() const {
  const auto is_busy = [](const auto& document) { return document->is_busy(); };
  return std::any_of(closing_.begin(), closing_.end(), is_busy) ||
         std::any_of(documents_.begin(), documents_.end(),
                     [&](const Entry& entry) { return is_busy(entry.document); });
}

void Session::wait() {
  while (true) {
    poll();
    if (!is_busy()) return;
    wait_for_one();
  }
}

// Waits for the first busy document only: callers wait for all of them in the end.
void Session::wait_for_one() {
  for (const Entry& entry : documents_) {
    if (entry.document->is_busy()) return entry.document->wait_for_one();
  }
  for (const auto& document : closing_) {
    if (document->is_busy()) return document->wait_for_one();
  }
}

}  // namespace tideline::app
