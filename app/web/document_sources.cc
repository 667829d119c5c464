// Tested by unit/web/routes_log_test.cc and unit/web/routes_checkpoint_test.cc.
#include "app/web/document_sources.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/engine/folder.h"
#include "core/base/text.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/io/graph_format.h"

namespace tideline::web {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kVariablesFolder = "variables";  // of a SavedModel
constexpr const char* kStateFileName = "checkpoint";   // leads to those that are listed anyway

void add_file(const std::string& path, std::uint64_t bytes, ordered_json& list) {
  const std::string name = app::file_name(path);
  const bool is_part = name.find(".data-0") != std::string::npos || name == kStateFileName;
  if (name.find("tfevents") != std::string::npos) {
    list["logs"].push_back({{"path", path}, {"bytes", bytes}});
  } else if (!is_part && !io::is_graph_name(name) && checkpoint::names_checkpoint(path)) {
    list["checkpoints"].push_back({{"path", path}, {"bytes", bytes}});
  }
}

}  // namespace

void add_documents(const AllowedPaths& paths, const std::string& path, ordered_json& list) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return add_file(path, error ? 0 : static_cast<std::uint64_t>(fs::file_size(path, error)), list);
  }
  if (app::kind_of_path(path).id == "log") {
    list["logs"].push_back({{"path", path}, {"bytes", 0}});
  }
  for (const ui::FileEntry& entry : app::list_folder(path).entries) {
    const std::string whole = (path == "/" ? "" : path) + "/" + entry.name;
    if (entry.is_folder || paths.leads_outside(whole)) continue;
    add_file(whole, static_cast<std::uint64_t>(entry.bytes), list);
  }
}

Result<std::string> document_for_reading(const AllowedPaths& paths, const std::string& path) {
  TIDELINE_TRY(std::string allowed, paths.for_reading(path));
  std::error_code error;
  // Of a folder, for_reading has looked at links to files; a checkpoint in `variables` is read,
  // too.
  const bool is_folder = fs::is_directory(allowed, error);
  const fs::path folder = is_folder ? fs::path(allowed) : fs::path(allowed).parent_path();
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code none;
    if (!entry->is_symlink(none) || !entry->exists(none)) continue;
    if (is_folder && entry->path().filename() != kVariablesFolder) continue;
    const fs::path target = fs::canonical(entry->path(), none);
    if (target.parent_path() == folder || !paths.leads_outside(entry->path().string())) continue;
    return fail(Code::kNotFound,
                "{}: this link leads out of the folders that tideline serve was given",
                printable(entry->path().string(), 2000));
  }
  return allowed;
}

Result<const app::DocumentKind*> kind_of_upload(const std::string& name, const std::string& path) {
  const bool is_data = name.find(".data-0") != std::string::npos;
  if (is_data || name.ends_with(".index") || name.ends_with(".index.json")) {
    return fail(
        Code::kInvalidArgument,
        "{}: a checkpoint of several files cannot be sent; expected one of one file, or its "
        "folder among those that tideline serve was given",
        printable(name));
  }
  const bool is_log = name.find("tfevents") != std::string::npos;
  return is_log ? app::find_document_kind("log") : &app::kind_of_path(path);
}

}  // namespace tideline::web
