// Tested by unit/session/session_test.cc.
#include "app/session/document.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "app/session/checkpoint_document.h"
#include "app/session/graph_document.h"
#include "app/session/log_document.h"
#include "core/base/text.h"
#include "core/checkpoint/find_checkpoint.h"

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

std::unique_ptr<Document> open_checkpoint(DocumentPlace place, OpenRequest request, Wish) {
  return std::make_unique<CheckpointDocument>(std::move(place), std::move(request));
}

constexpr std::array kKinds = {
    DocumentKind{"graph", "a graph: of a file, a SavedModel or a log", open_graph},
    DocumentKind{"log", "an event log: its curves, graphs and traced steps", open_log},
    DocumentKind{"checkpoint", "a checkpoint: its tensors and their values", open_checkpoint},
};

}  // namespace

const DocumentKind& kind_of_path(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  bool is_checkpoint = false;
  if (fs::is_directory(path, error)) {
    bool is_other = false;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      const std::string name = entry.path().filename().string();
      is_checkpoint = is_checkpoint || name == "checkpoint" || name.ends_with(".index") ||
                      name.ends_with(".npy") || name.ends_with(".safetensors.index.json");
      is_other = is_other || name.starts_with("saved_model.pb") ||
                 name.find("tfevents") != std::string::npos;
    }
    is_checkpoint = is_checkpoint && !is_other;
  } else {
    is_checkpoint = checkpoint::names_checkpoint(path);
  }
  return *find_document_kind(is_checkpoint ? "checkpoint" : "graph");
}

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
