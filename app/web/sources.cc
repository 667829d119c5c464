// Tested by unit/web/routes_test.cc.
#include "app/web/sources.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "app/engine/folder.h"
#include "app/engine/json_text.h"
#include "app/engine/shared_graphs.h"
#include "app/session/document.h"
#include "app/session/lesson.h"
#include "app/web/document_sources.h"
#include "core/events/logged_graphs.h"
#include "core/events/logged_trace.h"
#include "core/io/graph_format.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostKept = 64;

// As TensorFlow's users call files with RunMetadata.
bool is_trace_file(const std::string& name) {
  return name.find("runmeta") != std::string::npos ||
         name.find("run_metadata") != std::string::npos;
}

ordered_json file_json(const std::string& path, Bytes bytes, const char* kind) {
  return {{"path", path},   {"run", ""},    {"tag", ""},
          {"function", ""}, {"kind", kind}, {"bytes", bytes}};
}

ordered_json empty_list(const std::string& folder) {
  return {{"folder", folder},
          {"folders", ordered_json::array()},
          {"graphs", ordered_json::array()},
          {"traces", ordered_json::array()},
          {"lessons", ordered_json::array()},
          {"logs", ordered_json::array()},
          {"checkpoints", ordered_json::array()},
          {"refused", ordered_json::array()}};
}

std::filesystem::path without_links(const std::filesystem::path& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical;
}

// One text for all the names by which the same thing can be reached: through links, by the run of a
// log around it, as a saved model's folder or its file.
std::string identity_of(const ordered_json& entry) {
  if (entry.is_string()) return without_links(entry.get<std::string>()).string();
  const auto text = [&](const char* name) { return entry.value(name, std::string()); };
  std::filesystem::path path = without_links(text("path"));
  std::error_code error;
  if (!text("run").empty() && std::filesystem::is_directory(path, error)) {
    path = without_links(path / text("run"));
  }
  if (path.filename() == "saved_model.pb") path = path.parent_path();
  return path.string() + '\n' + text("tag") + '\n' + text("function");
}

// A list in which everything stands once.
class Listed {
 public:
  explicit Listed(const std::string& folder) : list_(empty_list(folder)) {}

  void append(const ordered_json& from) {
    for (const char* name :
         {"folders", "graphs", "traces", "lessons", "logs", "checkpoints", "refused"}) {
      if (!from.contains(name)) continue;
      for (const auto& entry : from[name]) add(name, entry);
    }
  }
  void add(const char* name, const ordered_json& entry) {
    if (seen_.emplace(name, identity_of(entry)).second) list_[name].push_back(entry);
  }
  [[nodiscard]] ordered_json take() { return std::move(list_); }

 private:
  ordered_json list_;
  std::set<std::pair<std::string, std::string>> seen_;
};

bool lies_in(const std::string& path, const std::string& folder) {
  return path.starts_with(folder == "/" ? folder : folder + "/");
}

// Its target stands in the same folder and is listed by its own name.
bool is_second_name(const std::string& path, const std::string& folder) {
  std::error_code error;
  return std::filesystem::is_symlink(path, error) && without_links(path).parent_path() == folder;
}

}  // namespace

ordered_json Sources::list_log(const std::string& path) {
  const std::string state = app::state_of_files(path);
  {
    const std::scoped_lock lock(mutex_);
    const auto kept = logs_.find(path);
    if (kept != logs_.end() && kept->second.state == state) {
      return ordered_json::parse(kept->second.text);
    }
  }
  ordered_json found = {{"graphs", ordered_json::array()}, {"traces", ordered_json::array()}};
  Progress progress;
  Diagnostics diagnostics;
  if (const auto graphs = events::list_graphs(path, diagnostics, progress)) {
    for (const events::LoggedGraph& graph : *graphs) {
      const std::string tag = graph.part.empty() ? graph.tag : graph.tag + ":" + graph.part;
      found["graphs"].push_back({{"path", path},
                                 {"run", graph.run},
                                 {"tag", tag},
                                 {"function", ""},
                                 {"kind", events::graph_source_name(graph.source)},
                                 {"bytes", graph.bytes->bytes().size()}});
    }
  }
  if (const auto traces = events::list_traces(path, diagnostics, progress)) {
    for (const events::LoggedTrace& trace : *traces) {
      found["traces"].push_back(
          {{"path", path}, {"run", trace.run}, {"tag", trace.tag}, {"step", trace.step}});
    }
  }
  const std::scoped_lock lock(mutex_);
  if (logs_.size() >= kMostKept) logs_.clear();
  logs_[path] = {state, app::json_text(found, -1)};
  return found;
}

ordered_json Sources::list_folder(const std::string& path) {
  ordered_json list = empty_list(path);
  const ui::FolderListing listing = app::list_folder(path);
  for (const ui::FileEntry& entry : listing.entries) {
    const std::string whole = (path == "/" ? "" : path) + "/" + entry.name;
    std::error_code error;
    if (is_second_name(whole, path)) continue;
    if (entry.is_folder) {
      if (paths_.leads_outside(whole)) continue;
      const auto model = std::filesystem::path(whole) / "saved_model.pb";
      if (std::filesystem::exists(model, error)) {
        list["graphs"].push_back(file_json(whole, 0, "saved_model"));
      } else {
        list["folders"].push_back(whole);
      }
    } else if (entry.name == "saved_model.pb") {
      list["graphs"].push_back(file_json(path, entry.bytes, "saved_model"));
    } else if (app::is_lesson_path(entry.name)) {
      if (!paths_.leads_outside(whole)) list["lessons"].push_back({{"path", whole}});
    } else if (!io::is_graph_name(entry.name) || paths_.leads_outside(whole)) {
      continue;
    } else if (is_trace_file(entry.name)) {
      list["traces"].push_back({{"path", whole}, {"run", ""}, {"tag", ""}, {"step", 0}});
    } else {
      list["graphs"].push_back(file_json(whole, entry.bytes, "file"));
    }
  }
  return list;
}

ordered_json Sources::list_documents(const std::string& path) const {
  ordered_json found = empty_list(path);
  add_documents(paths_, path, found);
  return found;
}

Result<ordered_json> Sources::list(const std::string& folder) {
  if (!folder.empty()) {
    TIDELINE_TRY(const std::string path, paths_.for_reading(folder));
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      return fail(Code::kInvalidArgument, "{}: expected a folder", folder);
    }
    Listed list(path);
    list.append(list_folder(path));
    list.append(list_log(path));
    list.append(list_documents(path));
    return list.take();
  }
  Listed list("");
  const auto& roots = paths_.roots();
  // Logs of a folder are found at any depth.
  const auto is_in_listed_folder = [&](const std::string& path) {
    return std::any_of(roots.begin(), roots.end(), [&](const AllowedRoot& root) {
      return root.is_folder && lies_in(path, root.canonical) &&
             paths_.for_reading(root.canonical).has_value();
    });
  };
  for (const AllowedRoot& root : roots) {
    std::error_code error;
    if (root.is_folder) {
      list.append(list_folder(root.canonical));
      list.append(list_documents(root.canonical));
      // Whoever reads a log follows its links to files, so those are looked at first.
      if (const auto allowed = paths_.for_reading(root.canonical); allowed) {
        list.append(list_log(root.canonical));
      } else {
        list.add("refused", allowed.error().message);
      }
      if (roots.size() > 1) list.add("folders", root.canonical);
      continue;
    }
    const auto bytes = static_cast<Bytes>(std::filesystem::file_size(root.canonical, error));
    const ordered_json documents = list_documents(root.canonical);
    list.append(documents);
    const bool is_document = !documents["logs"].empty() || !documents["checkpoints"].empty();
    const bool is_log = app::file_name(root.canonical).find("tfevents") != std::string::npos;
    if (const auto allowed = paths_.for_reading(root.canonical); !allowed) {
      list.add("refused", allowed.error().message);
    } else if (is_log) {
      if (!is_in_listed_folder(root.canonical)) list.append(list_log(root.canonical));
    } else if (app::is_lesson_path(root.canonical)) {
      list.add("lessons", {{"path", root.canonical}});
    } else if (!is_document) {
      list.add("graphs", file_json(root.canonical, error ? 0 : bytes, "file"));
    }
  }
  return list.take();
}

}  // namespace tideline::web
