// Tested by tests/unit/io/model_files_test.cc and tests/golden/files/inputs_test.py.
#include "core/io/model_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/base/input_file.h"
#include "core/base/temporaries.h"
#include "core/base/text.h"
#include "core/io/saved_model.h"

namespace tideline::io {
namespace {

namespace fs = std::filesystem;

// Hashes of the graph and of the variables, which loaders of the model log.
constexpr const char* kFingerprint = "fingerprint.pb";
// The last is a graph in chunks, which is not read.
constexpr std::array<std::string_view, 3> kGraphs = {"saved_model.pb", "saved_model.pbtxt",
                                                     "saved_model.cpb"};
constexpr std::array<std::string_view, 4> kOthers = {kFingerprint, "keras_metadata.pb",
                                                     "debug/saved_model_debug_info.pb",
                                                     "debug/saved_model_debug_info.pbtxt"};
// Deeper than any SavedModel; a mount that contains itself must not cause an endless loop.
constexpr int kMostFolderDepth = 32;

template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether the link `path` leads to a regular file within `folder`.
bool leads_inside(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error || !fs::is_regular_file(target, error)) return false;
  const fs::path root = fs::canonical(folder, error);
  const fs::path inside = target.lexically_relative(root);
  return !error && !inside.empty() && *inside.begin() != "..";
}

enum class Links : std::uint8_t { kInside, kAsFiles };

class Listing {
 public:
  Listing(const std::string& folder, Links links) : folder_(folder), links_(links) {}

  Status collect(const fs::path& folder, const std::string& prefix, int depth = 0) {
    if (depth > kMostFolderDepth) {
      return fail(Code::kUnsupported, "{}: folders are nested deeper than {}", folder.string(),
                  kMostFolderDepth);
    }
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
      TIDELINE_RETURN_IF_ERROR(take(entries->path(), prefix, depth));
    }
    if (error) return fail(Code::kIo, "{}: cannot list: {}", folder.string(), error.message());
    return {};
  }

  std::vector<std::string> sorted() && {
    std::sort(files_.begin(), files_.end());
    return std::move(files_);
  }

 private:
  Status take(const fs::path& path, const std::string& prefix, int depth) {
    std::error_code error;
    const std::string name = prefix + path.filename().string();
    const fs::file_status status = fs::symlink_status(path, error);
    // A folder that is taken for a file would be neither copied nor removed.
    if (error) return fail(Code::kIo, "{}: cannot look at it: {}", path.string(), error.message());
    if (fs::is_directory(status)) return collect(path, name + "/", depth + 1);
    if (links_ == Links::kInside) {
      if (fs::is_symlink(status) && !leads_inside(path, folder_)) {
        return fail(Code::kUnsupported, "{}: is a link; expected one to a file in {}",
                    path.string(), folder_.string());
      }
      if (!fs::is_symlink(status) && !fs::is_regular_file(status)) {
        return fail(Code::kUnsupported, "{}: expected a file or a folder, not a pipe or a device",
                    path.string());
      }
    }
    files_.push_back(name);
    return {};
  }

  fs::path folder_;
  Links links_;
  std::vector<std::string> files_;
};

Result<std::vector<std::string>> list(const std::string& folder, Links links) {
  Listing listing(folder, links);
  TIDELINE_RETURN_IF_ERROR(listing.collect(folder, ""));
  return std::move(listing).sorted();
}

Result<bool> same_content(const fs::path& a, const fs::path& b) {
  TIDELINE_TRY(InputFile first, InputFile::open(a.string()));
  TIDELINE_TRY(InputFile second, InputFile::open(b.string()));
  if (first.size() != second.size()) return false;
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  const auto pieces = std::make_unique<char[]>(2 * kPiece);  // NOLINT(modernize-avoid-c-arrays)
  char* const other = pieces.get() + kPiece;
  while (true) {
    TIDELINE_TRY(const std::size_t got, first.read(pieces.get(), kPiece));
    TIDELINE_TRY(const std::size_t got_other, second.read(other, kPiece));
    if (std::string_view(pieces.get(), got) != std::string_view(other, got_other)) return false;
    if (got == 0) break;
  }
  TIDELINE_RETURN_IF_ERROR(first.check_unchanged());
  TIDELINE_RETURN_IF_ERROR(second.check_unchanged());
  return true;
}

}  // namespace

Result<std::vector<std::string>> companion_files(const std::string& folder) {
  TIDELINE_TRY(std::vector<std::string> files, list(folder, Links::kInside));
  std::erase_if(files, [](const std::string& name) {
    return name == kGraphs[0] || name == kGraphs[1] || is_temporary_name(name);
  });
  return files;
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
    TIDELINE_TRY(const bool same,
                 same_content(fs::path(original) / name, fs::path(rewritten) / name));
    if (!same) differences.push_back(fmt::format("file '{}' changed", printable(name)));
  }
  for (const std::string& name : after) {
    if (!std::binary_search(before.begin(), before.end(), name)) {
      differences.push_back(fmt::format("file '{}' is new", printable(name)));
    }
  }
  return differences;
}

bool is_model_file(const std::string& name) {
  if (is_one_of(kGraphs, name) || is_one_of(kOthers, name)) return true;
  const std::size_t slash = name.find('/');
  const std::string_view top = std::string_view(name).substr(0, slash);
  if (top == "assets" || top == "assets.extra") return true;
  if (top != "variables") return false;
  // A link to the variables, or a file in their folder.
  const std::string_view rest =
      slash == std::string::npos ? "variables" : std::string_view(name).substr(slash + 1);
  return rest == "checkpoint" ||
         (rest.starts_with("variables") && rest.find('/') == std::string_view::npos);
}

MayReplace replace_model(const std::string& source) {
  return [source](const std::string& folder,
                  const std::string& shown) -> Result<std::vector<std::string>> {
    if (!is_saved_model(folder)) return never_replace()(folder, shown);
    TIDELINE_TRY(std::vector<std::string> files, list(folder, Links::kAsFiles));
    for (const std::string& name : files) {
      if (is_model_file(name) || is_temporary_name(name)) continue;
      const fs::path ours = fs::path(source) / name;
      std::error_code error;
      if (!source.empty() && fs::is_regular_file(ours, error)) {
        const auto same = same_content(ours, fs::path(folder) / name);
        if (same && *same) continue;
      }
      return fail(Code::kInvalidArgument,
                  "{}: holds '{}', which is of no SavedModel and would be lost; the folder is not "
                  "replaced",
                  shown, printable(name));
    }
    // The graph, which tells that it is a SavedModel, goes last.
    std::stable_partition(files.begin(), files.end(),
                          [](const std::string& name) { return !is_one_of(kGraphs, name); });
    return files;
  };
}

}  // namespace tideline::io
