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
#include "core/events/log_walk.h"

namespace tideline::app {
namespace {

std::unique_ptr<SessionDocument> open_graph(DocumentPlace place, OpenRequest request, Wish wish) {
  auto document = std::make_unique<GraphDocument>(std::move(place));
  document->open(std::move(request), std::move(wish));
  return document;
}

std::unique_ptr<SessionDocument> open_log(DocumentPlace place, OpenRequest request, Wish) {
  return std::make_unique<LogDocument>(std::move(place), std::move(request));
}

std::unique_ptr<SessionDocument> open_checkpoint(DocumentPlace place, OpenRequest request, Wish) {
  return std::make_unique<CheckpointDocument>(std::move(place), std::move(request));
}

constexpr std::array kDocumentKinds = {
    DocumentKind{"graph", "a graph: of a file, a SavedModel or a log", open_graph},
    DocumentKind{"log", "an event log: its curves, graphs and traced steps", open_log},
    DocumentKind{"checkpoint", "a checkpoint: its tensors and their values", open_checkpoint},
};

namespace fs = std::filesystem;

bool is_event_file_name(const std::string& name) {
  return name.find("tfevents") != std::string::npos;
}

// Whether a folder below `path` has an event file. Gives up in a large tree: it is asked for by a
// user who waits.
bool holds_event_files(const std::string& path) {
  constexpr int kMostEntries = 20'000;
  std::error_code error;
  int entries = 0;
  for (fs::recursive_directory_iterator
           entry(path, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end && entries < kMostEntries; entry.increment(error), ++entries) {
    if (is_event_file_name(entry->path().filename().string())) return true;
  }
  return false;
}

std::string_view kind_of_folder(const std::string& path) {
  bool has_checkpoint = false;
  bool has_log = false;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("saved_model.pb")) return "graph";
    has_checkpoint = has_checkpoint || checkpoint::marks_checkpoint(name);
    has_log = has_log || is_event_file_name(name);
  }
  if (has_log) return "log";
  if (has_checkpoint) return "checkpoint";
  return holds_event_files(path) ? "log" : "graph";
}

std::string_view kind_of_file(const std::string& path) {
  const std::string name = file_name(path);
  if (name.find(".data-0") != std::string::npos) return "checkpoint";  // half written
  std::error_code error;
  const bool can_be_read = fs::is_regular_file(path, error);  // a pipe could be read but once
  const bool is_log = is_event_file_name(name) || (can_be_read && events::is_log_file(path));
  return is_log ? "log" : "graph";
}

}  // namespace

const DocumentKind& kind_of_path(const std::string& path) {
  std::error_code error;
  std::string_view kind = "graph";
  if (fs::is_directory(path, error)) {
    kind = kind_of_folder(path);
  } else if (checkpoint::names_checkpoint(path)) {
    kind = "checkpoint";
  } else if (fs::exists(path, error)) {
    kind = kind_of_file(path);
  }
  return *find_document_kind(kind);
}

void SessionDocument::wait() {
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
  const auto found = std::find_if(kDocumentKinds.begin(), kDocumentKinds.end(),
                                  [&](const DocumentKind& kind) { return kind.id == id; });
  return found == kDocumentKinds.end() ? nullptr : &*found;
}

std::string document_kind_ids() {
  std::vector<std::string> ids;
  for (const DocumentKind& kind : kDocumentKinds) ids.emplace_back(kind.id);
  return alternatives(ids);
}

}  // namespace tideline::app
