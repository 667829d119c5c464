#include "core/io/saved_model.h"

#include <algorithm>
#include <filesystem>

#include "core/base/strictest.h"
#include "core/io/model_files.h"

namespace tideline::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBinaryName = "saved_model.pb";
constexpr const char* kTextName = "saved_model.pbtxt";
constexpr const char* kSplitName = "saved_model.cpb";
// Hashes of the graph and of the variables, which loaders of the model log.
constexpr const char* kFingerprintFile = "fingerprint.pb";

bool exists(const std::string& folder, const char* name) {
  std::error_code error;
  return fs::exists(fs::path(folder) / name, error);
}

// Makes the folders around `name`, outermost first, each as open as the source's folder.
Status make_folders_of(const std::string& source, const std::string& name, OutputFolder& out) {
  fs::path inner;
  for (const fs::path& part : fs::path(name).parent_path()) {
    inner /= part;
    TIDELINE_RETURN_IF_ERROR(
        out.make_folder(inner.string(), readers_of((fs::path(source) / inner).string())));
  }
  return {};
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
  // Nobody waits for a pipe that lies in a folder.
  ReadOptions in_folder = options;
  in_folder.pipes = Pipes::kRefuse;
  TIDELINE_TRY(Document document,
               read_document((fs::path(folder) / name).string(), progress, in_folder));
  if (document.format != Format::kSavedModel) {
    return fail(Code::kCorrupt, "{}: is a {}; expected a SavedModel", document.path,
                format_name(document.format));
  }
  document.folder = folder;
  return document;
}

Status write_saved_model(const Document& document, const Graph& graph, OutputFormat format,
                         OutputFolder& out, Progress& progress, const Readers& readers) {
  TIDELINE_TRY(OutputFile file, out.file(format.encoding == &kTextFormat ? kTextName : kBinaryName,
                                         strictest(document.source->readers(), readers)));
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
    if (name == kFingerprintFile && !(same && written == source.size())) continue;
    TIDELINE_RETURN_IF_ERROR(make_folders_of(document.folder, name, out));
    TIDELINE_RETURN_IF_ERROR(out.copy((fs::path(document.folder) / name).string(), name, progress));
  }
  return {};
}

}  // namespace tideline::io
