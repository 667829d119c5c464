// Tested by unit/session/session_test.cc.
#include "app/session/document.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "app/session/graph_document.h"
#include "app/session/log_document.h"
#include "core/base/text.h"

namespace tideline::session {
namespace {

std::unique_ptr<Document> open_graph(DocumentPlace place, OpenRequest request, Wish wish) {
  auto document = std::make_unique<GraphDocument>(std::move(place));
  document->open(std::move(request), std::move(wish));
  return document;
}

std::unique_ptr<Document> open_log(DocumentPlace place, OpenRequest request, Wish) {
  return std::make_unique<LogDocument>(std::move(place), std::move(request));
}

constexpr std::array kKinds = {
    DocumentKind{"graph", "a graph: of a file, a SavedModel or a log", open_graph},
    DocumentKind{"log", "an event log: its curves, graphs and traced steps", open_log},
};

}  // namespace

void Document::wait() {
  while (true) {
    poll();
    if (!is_busy()) return;
    wait_for_one();
  }
}

std::string file_name(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

const DocumentKind* find_document_kind(std::string_view id) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const DocumentKind& kind) { return kind.id == id; });
  return found == kKinds.end() ? nullptr : &*found;
}

std::string document_kind_ids() {
  std::vector<std::string> ids;
  for (const DocumentKind& kind : kKinds) ids.emplace_back(kind.id);
  return alternatives(ids);
}

}  // namespace tideline::session
