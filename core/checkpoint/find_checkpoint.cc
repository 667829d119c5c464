// Tested by unit/checkpoint/find_checkpoint_test.cc and unit/checkpoint/open_checkpoint_test.cc.
#include "core/checkpoint/find_checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/input_file.h"
#include "core/base/source_bytes.h"
#include "core/base/sync.h"
#include "core/base/text.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/prefix_files.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/state_file.h"
#include "core/io/foreign_files.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMeta = ".meta";
constexpr const char* kStateFile = "checkpoint";
constexpr std::size_t kMostStateBytes = std::size_t{16} << 20U;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// A format that finds the same again in `path`, and what to tell whoever named another one.
struct Found {
  const CheckpointFormat* format = nullptr;
  std::string path;
  std::vector<std::string> notes = {};
};

// "; beside it lies a.index", of the checkpoints in `folder`.
std::string beside(const std::string& folder) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> names;
  for (const std::string& prefix : prefixes_in(folder)) {
    names.push_back(printable(fs::path(index_path(prefix)).filename().string()));
  }
  if (names.empty()) return "";
  const bool has_more = names.size() > kMostNamed;
  if (has_more) names.erase(names.begin(), names.end() - kMostNamed);
  return fmt::format("; beside it {} {}{}", names.size() == 1 ? "lies" : "lie",
                     fmt::join(names, ", "), has_more ? " and others" : "");
}

bool is_table(const std::string& path) {
  const auto ends = io::read_ends(path);
  return ends && ends_like_table(ends->tail);
}

// The checkpoint `prefix` itself, without looking for steps; nullopt if there is none.
std::optional<Found> whole_prefix(const std::string& prefix) {
  if (is_there(index_path(prefix))) return Found{&kBundleFormat, prefix};
  if (is_file(prefix) && is_table(prefix)) return Found{&kTableFormat, prefix};
  const TableShards shards = table_shards_of(prefix);
  if (shards.files.empty() || !shards.missing.empty()) return std::nullopt;
  return Found{&kTableFormat, shards.files.front()};
}

// An error that says what is missing, if only a part of the checkpoint `prefix` is there.
std::optional<Error> half_of(const std::string& prefix) {
  const std::vector<std::string> data = data_shards_of(prefix);
  if (!data.empty()) {
    return Error{Code::kNotFound,
                 fmt::format("{}: is missing; expected it beside {}, which cannot be read without "
                             "it{}",
                             index_path(prefix), data.front(), beside(folder_of(prefix)))};
  }
  const TableShards shards = table_shards_of(prefix);
  if (!shards.missing.empty()) {
    return Error{Code::kNotFound, fmt::format("{}: is missing; expected it beside {}",
                                              shards.missing, shards.files.front())};
  }
  if (is_there(prefix + std::string(kMeta))) {
    return Error{Code::kNotFound,
                 fmt::format("{}: is missing; {}{} has the graph of this checkpoint, but no "
                             "values{}",
                             index_path(prefix), prefix, kMeta, beside(folder_of(prefix)))};
  }
  return std::nullopt;
}

// The checkpoint of the highest step: m-200.index for "m", beside m-100.index.
std::optional<Found> highest_step(const std::string& prefix) {
  const std::vector<std::string> steps = steps_of(prefix);
  for (auto at = steps.rbegin(); at != steps.rend(); ++at) {
    auto whole = whole_prefix(*at);
    if (!whole) continue;
    whole->notes.push_back(
        fmt::format("{}: names no single checkpoint; this is its highest step, {}", prefix, *at));
    return whole;
  }
  return std::nullopt;
}

Result<Found> find_prefix(const std::string& prefix) {
  if (auto whole = whole_prefix(prefix)) return *std::move(whole);
  if (auto half = half_of(prefix)) return tl::unexpected(*std::move(half));
  if (auto highest = highest_step(prefix)) return *std::move(highest);
  return fail(Code::kNotFound, "{}: there is no checkpoint of this name; {}", prefix,
              expected_input());
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(path, error).parent_path(), error);
  if (error) return false;
  const fs::path room = fs::weakly_canonical(fs::absolute(folder, error), error);
  const fs::path inside = place.lexically_relative(room);
  return !error && !inside.empty() && *inside.begin() != "..";
}

// The checkpoint that TensorFlow's file "checkpoint" names. A foreign folder shall not make us open
// files elsewhere, so of a name that leads there the last part counts: the folder was moved.
Result<Found> find_latest(const std::string& state_file) {
  const std::string folder = folder_of(state_file);
  TIDELINE_TRY(const InputFile file, InputFile::open(state_file));
  if (file.size() > kMostStateBytes) {
    return fail(Code::kCorrupt, "{}: expected a line with model_checkpoint_path", state_file);
  }
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(state_file));
  const auto latest = parse_state_file(bytes->bytes());
  if (!latest) return tl::unexpected(with_context(latest.error(), state_file));
  const fs::path named = (fs::path(folder) / *latest).lexically_normal();
  if (!named.has_filename()) {
    return fail(Code::kInvalidArgument, "{}: names '{}', which is no prefix", state_file,
                printable(*latest));
  }
  const bool is_inside = lies_in(named, folder);
  if (is_inside) {
    if (auto whole = whole_prefix(named.string())) return *std::move(whole);
  }
  const std::string same_name = (fs::path(folder) / named.filename()).string();
  if (auto whole = whole_prefix(same_name)) {
    whole->notes.push_back(fmt::format(
        "{}: names '{}', which is {}; this is the one of that name "
        "beside it, {}",
        state_file, printable(*latest), is_inside ? "not there" : "in another folder", same_name));
    return *std::move(whole);
  }
  if (!is_inside) {
    return fail(Code::kInvalidArgument,
                "{}: names '{}', which is not in the same folder; expected to be given that path{}",
                state_file, printable(*latest), beside(folder));
  }
  if (const auto half = half_of(named.string())) {
    return tl::unexpected(with_context(*half, state_file));
  }
  return fail(Code::kNotFound, "{}: names '{}', which is not there; expected {}{}", state_file,
              printable(*latest), index_path(named.string()), beside(folder));
}

Result<Found> find_in_folder(const std::string& folder) {
  const std::string variables = (fs::path(folder) / "variables/variables").string();
  if (is_there(index_path(variables))) return Found{&kBundleFormat, variables};
  if (is_there(fs::path(folder) / "saved_model.pb")) {
    return fail(Code::kNotFound, "{}: is a SavedModel without variables; expected {}", folder,
                index_path(variables));
  }
  if (is_file(fs::path(folder) / kStateFile)) {
    return find_latest((fs::path(folder) / kStateFile).string());
  }
  std::error_code error;
  if (fs::directory_iterator listing(folder, error); error) {
    return fail(Code::kIo, "{}: cannot list: {}", folder, error.message());
  }
  const std::vector<std::string> prefixes = prefixes_in(folder);
  if (prefixes.size() == 1) return Found{&kBundleFormat, prefixes.front()};
  if (prefixes.size() > 1) {
    return fail(Code::kInvalidArgument,
                "{}: holds {} checkpoints; expected the prefix of one, such as {}", folder,
                prefixes.size(), prefixes.back());
  }
  for (const CheckpointFormat* format : formats()) {
    const std::string file = (fs::path(folder) / format->file_in_folder).string();
    if (!format->file_in_folder.empty() && is_file(file)) return Found{format, file};
    if (format->is_folder != nullptr && format->is_folder(folder)) return Found{format, folder};
  }
  return fail(Code::kNotFound, "{}: holds no checkpoint; {}", folder, expected_input());
}

Result<Found> find_file(const std::string& path) {
  TIDELINE_TRY(const io::FileEnds ends, io::read_ends(path));
  for (const CheckpointFormat* format : formats()) {
    if (format->is_file != nullptr && format->is_file(ends.head)) return Found{format, path};
  }
  for (const CheckpointFormat* format : formats()) {
    const std::string_view ending = format->sure_ending;
    if (!ending.empty() && path.ends_with(ending)) return Found{format, path};
  }
  const std::string name = fs::path(path).filename().string();
  const std::string prefix(prefix_of_file(path));
  if (!prefix.empty() && is_there(index_path(prefix))) return Found{&kBundleFormat, prefix};
  if (ends_like_table(ends.tail)) return Found{&kTableFormat, path};
  // A saver may give it another name.
  if (name == kStateFile || ends.head.starts_with("model_checkpoint_path:"))
    return find_latest(path);
  if (name.starts_with("saved_model.pb")) return find_in_folder(folder_of(path));
  if (path.ends_with(kMeta)) return find_prefix(path.substr(0, path.size() - kMeta.size()));
  if (!prefix.empty()) return find_prefix(prefix);
  if (const auto foreign =
          io::foreign_file(ends.head, ends.tail, io::FileUse::kCheckpoint, expected_input())) {
    return fail(Code::kInvalidArgument, "{}: {}", path, *foreign);
  }
  return fail(Code::kInvalidArgument, "{}: is no checkpoint; {}", path, expected_input());
}

Result<Found> find(const std::string& path) {
  // A prefix may be the name of a folder as well.
  if (is_there(index_path(path))) return Found{&kBundleFormat, path};
  std::error_code error;
  if (fs::is_directory(path, error)) return find_in_folder(path);
  if (is_there(path)) return find_file(path);
  std::string prefix(prefix_of_file(path));
  if (prefix.empty() && path.ends_with(kMeta)) prefix = path.substr(0, path.size() - kMeta.size());
  if (!prefix.empty() && (whole_prefix(prefix) || half_of(prefix))) return find_prefix(prefix);
  // As the programs that read such files call them.
  if (const std::string index = path + ".index.json"; is_file(index)) return find_file(index);
  return find_prefix(path);
}

}  // namespace

bool names_checkpoint(const std::string& path) {
  std::error_code error;
  const std::string name = fs::path(path).filename().string();
  if (name.ends_with(kMeta) || name.starts_with("saved_model.pb") ||
      fs::is_directory(path, error)) {
    return is_there(index_path(path));
  }
  // A half of one and a damaged one are opened to say what is wrong.
  const CheckpointFormat& named = format_of_name(name);
  return find(path).has_value() || (named.is_file != nullptr && named.write != nullptr) ||
         !prefix_of_file(name).empty() || name == kStateFile;
}

bool marks_checkpoint(std::string_view name) {
  return name == kStateFile ||
         std::any_of(formats().begin(), formats().end(), [&](const CheckpointFormat* format) {
           return !format->folder_sign.empty() && name.ends_with(format->folder_sign);
         });
}

Result<Checkpoint> open_checkpoint(const std::string& path) {
  TIDELINE_TRY(const Found found, find(path));
  TIDELINE_TRY(Checkpoint checkpoint, found.format->open(found.path));
  auto& notes = checkpoint.notes;
  notes.insert(notes.begin(), found.notes.begin(), found.notes.end());
  return checkpoint;
}

}  // namespace tideline::checkpoint
