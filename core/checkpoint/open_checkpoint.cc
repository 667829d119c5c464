// Tested by unit/checkpoint/open_checkpoint_test.cc.
#include "core/checkpoint/open_checkpoint.h"

#include <filesystem>
#include <regex>

#include "core/base/input_file.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/npy_folder.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/tensor_bundle.h"

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

// "a.index" and "a.data-00000-of-00001" are files of the checkpoint "a".
std::string prefix_of(const std::string& path) {
  static const std::regex kFile(R"((.+)\.(index|data-\d{5}-of-\d{5}))");
  std::smatch match;
  return std::regex_match(path, match, kFile) ? match[1].str() : std::string();
}

// The first line of the file "checkpoint", a message as text: model_checkpoint_path: "model-10".
Result<std::string> latest_in(const std::string& folder) {
  const std::string path = (fs::path(folder) / "checkpoint").string();
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path));
  static const std::regex kLine(R"re((?:^|\n)model_checkpoint_path: "((?:[^"\\\n]|\\["\\'])*)")re");
  std::cmatch match;
  const std::string_view text = bytes->bytes();
  if (text.size() > (std::size_t{1} << 20U) ||
      !std::regex_search(text.data(), text.data() + text.size(), match, kLine)) {
    return fail(Code::kCorrupt, "{}: expected a line with model_checkpoint_path", path);
  }
  std::string name;
  for (const char c : match[1].str()) {
    if (c != '\\') name += c;
  }
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
  if (is_npy_folder(folder)) return open_npy_folder(folder);
  return fail(Code::kNotFound, "{}: holds no checkpoint; {}", folder, kExpected);
}

Result<Checkpoint> open_file(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  std::string head(kHeadBytes, '\0');
  TIDELINE_TRY(std::size_t got, file.read_at(0, head.data(), head.size()));
  head.resize(got);
  if (begins_like_safetensors(head)) return open_safetensors(path);
  const std::string prefix = prefix_of(path);
  if (!prefix.empty() && is_there(index_path(prefix))) return open_tensor_bundle(prefix);
  std::string foot(kFootBytes, '\0');
  if (file.size() >= kFootBytes) {
    TIDELINE_TRY(got, file.read_at(file.size() - kFootBytes, foot.data(), foot.size()));
  }
  if (ends_like_table(foot)) {
    return fail(Code::kInvalidArgument, "{}: is an index without the name of one; expected {}",
                path, index_path("NAME"));
  }
  return fail(Code::kCorrupt, "{}: is no checkpoint; {}", path, kExpected);
}

}  // namespace

Result<Checkpoint> open_checkpoint(const std::string& path) {
  // A prefix may be the name of a folder as well.
  if (is_there(index_path(path))) return open_tensor_bundle(path);
  std::error_code error;
  if (fs::is_directory(path, error)) return open_folder(path);
  if (is_there(path)) return open_file(path);
  const std::string prefix = prefix_of(path);
  if (!prefix.empty() && is_there(index_path(prefix))) return open_tensor_bundle(prefix);
  return fail(Code::kNotFound, "{}: there is no checkpoint of this name; {}", path, kExpected);
}

}  // namespace tideline::checkpoint
