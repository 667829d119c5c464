#include "core/io/saved_model.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"

namespace tideline::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBinaryName = "saved_model.pb";
constexpr const char* kTextName = "saved_model.pbtxt";
constexpr const char* kSplitName = "saved_model.cpb";
// Hashes of the graph and of the variables, which loaders of the model log.
constexpr const char* kFingerprint = "fingerprint.pb";
// Deeper than any SavedModel; a mount that contains itself must not cause an endless loop.
constexpr int kMaxDepth = 32;

bool exists(const std::string& folder, const char* name) {
  std::error_code error;
  return fs::exists(fs::path(folder) / name, error);
}

Status collect(const fs::path& folder, const std::string& prefix, int depth,
               std::vector<std::string>& files) {
  if (depth > kMaxDepth) {
    return fail(Code::kUnsupported, "{}: folders are nested deeper than {}", folder.string(),
                kMaxDepth);
  }
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) return fail(Code::kIo, "{}: cannot list: {}", folder.string(), error.message());
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    const fs::path path = entries->path();
    const std::string name = prefix + path.filename().string();
    if (entries->is_directory(error) && !entries->is_symlink(error)) {
      TIDELINE_RETURN_IF_ERROR(collect(path, name + "/", depth + 1, files));
    } else if (entries->is_regular_file(error)) {  // also through a link
      files.push_back(name);
    } else {
      return fail(Code::kUnsupported, "{}: expected a file or a folder, not a link or a device",
                  path.string());
    }
  }
  if (error) return fail(Code::kIo, "{}: cannot list: {}", folder.string(), error.message());
  return {};
}

Result<bool> same_content(const std::string& a, const std::string& b) {
  TIDELINE_TRY(const SharedBytes first, open_bytes(a));
  TIDELINE_TRY(const SharedBytes second, open_bytes(b));
  return first->bytes() == second->bytes();
}

}  // namespace

bool is_saved_model(const std::string& folder) {
  return exists(folder, kBinaryName) || exists(folder, kTextName) || exists(folder, kSplitName);
}

std::string folder_around(const std::string& path) {
  const fs::path file(path);
  if (file.filename() != kBinaryName && file.filename() != kTextName) return {};
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  return exists(folder, "variables") || exists(folder, "assets") ? folder : std::string();
}

Result<Document> read_saved_model(const std::string& folder, Progress& progress,
                                  const ReadOptions& options) {
  const char* name = exists(folder, kBinaryName) ? kBinaryName : kTextName;
  if (!exists(folder, name)) {
    return exists(folder, kSplitName)
               ? fail(Code::kUnsupported, "{}: is split into chunks ({}); expected {}", folder,
                      kSplitName, kBinaryName)
               : fail(Code::kNotFound, "{}: holds no {}; expected a SavedModel", folder,
                      kBinaryName);
  }
  TIDELINE_TRY(Document document,
               read_document((fs::path(folder) / name).string(), progress, options));
  if (document.format != Format::kSavedModel) {
    return fail(Code::kCorrupt, "{}: is a {}; expected a SavedModel", document.path,
                format_name(document.format));
  }
  document.folder = folder;
  return document;
}

Result<std::vector<std::string>> companion_files(const std::string& folder) {
  std::vector<std::string> files;
  TIDELINE_RETURN_IF_ERROR(collect(folder, "", 0, files));
  std::erase_if(files,
                [](const std::string& name) { return name == kBinaryName || name == kTextName; });
  std::sort(files.begin(), files.end());
  return files;
}

Status write_saved_model(const Document& document, const Graph& graph, OutputFormat format,
                         OutputFolder& out, Progress& progress) {
  TIDELINE_TRY(OutputFile file,
               out.file(format.encoding == Encoding::kText ? kTextName : kBinaryName));
  const std::string_view source = document.source->bytes();
  std::size_t written = 0;
  bool same = true;
  const Sink sink = [&](std::string_view bytes) -> Status {
    same = same && source.substr(std::min(written, source.size()), bytes.size()) == bytes;
    written += bytes.size();
    return file.append(bytes);
  };
  TIDELINE_RETURN_IF_ERROR(write_document(document, graph, format, sink, progress));
  TIDELINE_RETURN_IF_ERROR(file.commit());
  if (document.folder.empty()) return {};
  TIDELINE_TRY(const std::vector<std::string> files, companion_files(document.folder));
  for (const std::string& name : files) {
    if (name == kFingerprint && !(same && written == source.size())) continue;
    TIDELINE_RETURN_IF_ERROR(out.copy((fs::path(document.folder) / name).string(), name, progress));
  }
  return {};
}

Result<std::vector<std::string>> compare_companions(const std::string& original,
                                                    const std::string& rewritten) {
  TIDELINE_TRY(std::vector<std::string> before, companion_files(original));
  TIDELINE_TRY(std::vector<std::string> after, companion_files(rewritten));
  std::erase(before, kFingerprint);
  std::erase(after, kFingerprint);
  std::vector<std::string> differences;
  for (const std::string& name : before) {
    if (!std::binary_search(after.begin(), after.end(), name)) {
      differences.push_back(fmt::format("file '{}' is lost", printable(name)));
      continue;
    }
    TIDELINE_TRY(const bool same, same_content((fs::path(original) / name).string(),
                                               (fs::path(rewritten) / name).string()));
    if (!same) differences.push_back(fmt::format("file '{}' changed", printable(name)));
  }
  for (const std::string& name : after) {
    if (!std::binary_search(before.begin(), before.end(), name)) {
      differences.push_back(fmt::format("file '{}' is new", printable(name)));
    }
  }
  return differences;
}

}  // namespace tideline::io
