// Tested by unit/checkpoint/open_checkpoint_test.cc.
#include "core/checkpoint/open_checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/input_file.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/npy_folder.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/io/foreign_files.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 9;
constexpr std::size_t kFootBytes = 48;
constexpr const char* kExpected =
    "expected the prefix of a TensorFlow checkpoint, a SavedModel, a safetensors file or a folder "
    "of .npy files";

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The value of the line `model_checkpoint_path: "model-10"`; nullopt if there is no such line.
std::optional<std::string> parse_latest(std::string_view text) {
  constexpr std::string_view kKey = "model_checkpoint_path: \"";
  constexpr std::size_t kMostNameBytes = 4096;
  while (!text.starts_with(kKey)) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  text.remove_prefix(kKey.size());
  std::string name;
  for (std::size_t i = 0; i < text.size() && name.size() < kMostNameBytes; ++i) {
    if (text[i] == '"') return name;
    if (text[i] == '\n') break;
    if (text[i] == '\\') {
      ++i;
      if (i == text.size() || std::string_view("\"\\'").find(text[i]) == std::string_view::npos) {
        break;
      }
    }
    name += text[i];
  }
  return std::nullopt;
}

// The prefix that the file "checkpoint" of a folder names, a message as text.
Result<std::string> latest_in(const std::string& folder) {
  const std::string path = (fs::path(folder) / "checkpoint").string();
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path));
  const auto latest = parse_latest(bytes->bytes());
  if (!latest) {
    return fail(Code::kCorrupt, "{}: expected a line with model_checkpoint_path", path);
  }
  const std::string& name = *latest;
  // A foreign folder shall not make us open files elsewhere.
  const fs::path prefix = fs::path(folder) / name;
  if (!fs::path(name).has_filename() ||
      prefix.parent_path().lexically_normal() !=
          (fs::path(folder) / "x").parent_path().lexically_normal()) {
    return fail(Code::kInvalidArgument,
                "{}: names '{}', which is not in the same folder; expected to be given that path",
                path, printable(name));
  }
  return prefix.string();
}

// The checkpoints that lie in the folder itself, by name.
Result<std::vector<std::string>> prefixes_in(const std::string& folder) {
  std::vector<std::string> prefixes;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string path = at->path().string();
    if (path.ends_with(".index")) prefixes.emplace_back(prefix_of_file(path));
  }
  if (error) return fail(Code::kIo, "{}: cannot list: {}", folder, error.message());
  std::sort(prefixes.begin(), prefixes.end());
  return prefixes;
}

Result<Checkpoint> open_folder(const std::string& folder) {
  const std::string variables = (fs::path(folder) / "variables/variables").string();
  if (is_there(index_path(variables))) return open_tensor_bundle(variables);
  if (is_there(fs::path(folder) / "saved_model.pb")) {
    return fail(Code::kNotFound, "{}: is a SavedModel without variables; expected {}", folder,
                index_path(variables));
  }
  if (is_there(fs::path(folder) / "checkpoint")) {
    TIDELINE_TRY(const std::string prefix, latest_in(folder));
    return open_tensor_bundle(prefix);
  }
  TIDELINE_TRY(const std::vector<std::string> prefixes, prefixes_in(folder));
  if (prefixes.size() == 1) return open_tensor_bundle(prefixes.front());
  if (prefixes.size() > 1) {
    return fail(Code::kInvalidArgument,
                "{}: holds {} checkpoints; expected the prefix of one, such as {}", folder,
                prefixes.size(), prefixes.back());
  }
  if (is_npy_folder(folder)) return open_npy_folder(folder);
  return fail(Code::kNotFound, "{}: holds no checkpoint; {}", folder, kExpected);
}

Result<Checkpoint> open_file(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  std::string head(kHeadBytes, '\0');
  TIDELINE_TRY(std::size_t got, file.read_at(0, head.data(), head.size()));
  head.resize(got);
  if (begins_like_safetensors(head)) return open_safetensors(path);
  const std::string prefix(prefix_of_file(path));
  if (!prefix.empty() && is_there(index_path(prefix))) return open_tensor_bundle(prefix);
  std::string foot(kFootBytes, '\0');
  if (file.size() >= kFootBytes) {
    TIDELINE_TRY(got, file.read_at(file.size() - kFootBytes, foot.data(), foot.size()));
  }
  if (ends_like_table(foot)) {
    return fail(Code::kInvalidArgument, "{}: is an index without the name of one; expected {}",
                path, index_path("NAME"));
  }
  if (const auto foreign = io::foreign_file_at(path, io::FileUse::kCheckpoint)) {
    return fail(Code::kInvalidArgument, "{}: {}", path, *foreign);
  }
  return fail(Code::kInvalidArgument, "{}: is no checkpoint; {}", path, kExpected);
}

}  // namespace

Result<Checkpoint> open_checkpoint(const std::string& path) {
  // A prefix may be the name of a folder as well.
  if (is_there(index_path(path))) return open_tensor_bundle(path);
  std::error_code error;
  if (fs::is_directory(path, error)) return open_folder(path);
  if (is_there(path)) return open_file(path);
  const std::string prefix(prefix_of_file(path));
  if (!prefix.empty() && is_there(index_path(prefix))) return open_tensor_bundle(prefix);
  return fail(Code::kNotFound, "{}: there is no checkpoint of this name; {}", path, kExpected);
}

}  // namespace tideline::checkpoint
