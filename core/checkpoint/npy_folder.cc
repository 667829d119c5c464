// Tested by unit/checkpoint/convert_test.cc.
#include "core/checkpoint/npy_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/input_file.h"
#include "core/base/output_folder.h"
#include "core/base/source_bytes.h"
#include "core/base/strictest.h"
#include "core/base/text.h"
#include "core/checkpoint/extras.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"
#include "core/io/npy.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".npy";
constexpr const char* kDescription = "tideline.json";
constexpr std::size_t kMostPartBytes = 220;  // 255 on most file systems, less a temporary name
constexpr std::size_t kFirstBytes = 4096;    // most headers have 128
constexpr std::size_t kMostFiles = 100'000;  // of a folder that may be somebody else's

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view(".-_+ ").find(c) != std::string_view::npos;
}

std::string escaped(char c) {
  return fmt::format("%{:02X}", static_cast<unsigned char>(c));
}

// A folder whose name ends like a file would stand in the way of that file.
std::string escaped_part(std::string_view part, bool is_folder) {
  if (part.empty()) return "%";
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool ends_like_file = is_folder && i + 1 == part.size() && part.ends_with(kEnding);
    const bool is_first_dot = i == 0 && part[i] == '.';
    if (is_plain(part[i]) && !is_first_dot && !ends_like_file) {
      text += part[i];
    } else {
      text += escaped(part[i]);
    }
  }
  return text;
}

int file_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string unescaped_part(std::string_view part) {
  if (part == "%") return "";
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const int high = part[i] == '%' && i + 2 < part.size() ? file_digit(part[i + 1]) : -1;
    const int low = high < 0 ? -1 : file_digit(part[i + 2]);
    if (low < 0) {
      text += part[i];
      continue;
    }
    text += static_cast<char>(16 * high + low);
    i += 2;
  }
  return text;
}

// Relative paths of the .npy files below `folder`, by name; at most `wanted` of them.
Result<std::vector<std::string>> files_below(const std::string& folder,
                                             std::size_t wanted = kMostFiles) {
  std::vector<std::string> found;
  std::size_t visited = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::none, error);
  for (; !error && at != fs::recursive_directory_iterator() && found.size() < wanted;
       at.increment(error)) {
    if (++visited > kMostFiles) {
      return fail(Code::kUnsupported, "{}: holds more than {} files; expected fewer", folder,
                  kMostFiles);
    }
    if (at->path().filename().string().starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (!at->is_regular_file(ignored) || at->path().extension() != kEnding) continue;
    found.push_back(at->path().lexically_relative(folder).string());
  }
  if (error) return fail(Code::kIo, "{}: cannot list: {}", folder, error.message());
  std::sort(found.begin(), found.end());
  return found;
}

Result<io::NpyHead> read_head(const InputFile& file) {
  std::string bytes(kFirstBytes, '\0');
  TIDELINE_TRY(std::size_t got, file.read_at(0, bytes.data(), bytes.size()));
  bytes.resize(got);
  auto head = io::parse_npy_head(bytes);
  if (!head && got == kFirstBytes) {
    bytes.resize(io::kMostNpyHeadBytes);
    TIDELINE_TRY(got, file.read_at(0, bytes.data(), bytes.size()));
    bytes.resize(got);
    head = io::parse_npy_head(bytes);
  }
  if (!head) return tl::unexpected(with_context(std::move(head).error(), file.path()));
  return head;
}

Result<StoredTensor> open_tensor(const std::string& path, std::string name, std::uint32_t index) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  TIDELINE_TRY(io::NpyHead head, read_head(file));
  StoredTensor tensor;
  tensor.name = std::move(name);
  tensor.type = head.type;
  tensor.dims = std::move(head.dims);
  const auto bytes = tensor_content_bytes(tensor.type, tensor.dims);
  if (!bytes || !count_elements(tensor.dims) ||
      static_cast<std::uint64_t>(*bytes) != file.size() - head.bytes) {
    return fail(Code::kCorrupt, "{}: {} has {} bytes of elements, the file holds {}", path,
                describe(tensor.type, Shape::of(tensor.dims)), bytes.value_or(-1),
                file.size() - head.bytes);
  }
  Piece piece;
  piece.file = index;
  piece.offset = static_cast<std::int64_t>(head.bytes);
  piece.bytes = *bytes;
  tensor.pieces.push_back(piece);
  return tensor;
}

Result<Extras> read_description(const std::string& folder) {
  const std::string path = (fs::path(folder) / kDescription).string();
  auto bytes = open_bytes(path);
  if (!bytes && bytes.error().code == Code::kNotFound) return Extras();
  if (!bytes) return tl::unexpected(std::move(bytes).error());
  auto extras = parse_extras((*bytes)->bytes());
  if (!extras) return tl::unexpected(with_context(std::move(extras).error(), path));
  return extras;
}

// What the description says beyond the files. `tensors` are sorted, before and after.
Status add_described(const Extras& extras, std::vector<StoredTensor>& tensors) {
  std::vector<StoredTensor> strings;
  for (const auto& [name, extra] : extras) {
    const auto found = std::lower_bound(
        tensors.begin(), tensors.end(), name,
        [](const StoredTensor& each, const std::string& wanted) { return each.name < wanted; });
    const bool has_file = found != tensors.end() && found->name == name;
    if (has_file == static_cast<bool>(extra.strings)) {
      return fail(Code::kCorrupt, "{}: tensor '{}' is described, but {}", kDescription,
                  printable(name), has_file ? "has a file as well" : "has no file");
    }
    if (has_file) {
      TIDELINE_RETURN_IF_ERROR(apply_extra(extra, *found));
      continue;
    }
    strings.push_back(described_strings(name, extra));
  }
  tensors.insert(tensors.end(), strings.begin(), strings.end());
  sort_by_name(tensors);
  return {};
}

Status check_parts(const std::string& tensor, const std::string& file) {
  for (const fs::path& part : fs::path(file)) {
    if (part.native().size() <= kMostPartBytes) continue;
    return fail(Code::kUnsupported, "tensor '{}': a part of its name is longer than {} bytes",
                printable(tensor), kMostPartBytes);
  }
  return {};
}

Status write_tensor(DataFiles& files, const StoredTensor& tensor, OutputFolder& out, Extras& extras,
                    Progress& progress) {
  const std::string name = npy_file_name(tensor.name);
  TIDELINE_RETURN_IF_ERROR(check_parts(tensor.name, name));
  Extra& extra = extras[tensor.name];
  std::vector<std::int64_t> dims = tensor.dims;
  auto head = io::npy_head(tensor.type, dims);
  if (!head) {
    extra.type = tensor.type;
    const DataType carrier = carry(tensor.type, dims);
    if (carrier == DataType::kInvalid) {
      return fail(Code::kUnsupported, "tensor '{}': NumPy has no type for {}",
                  printable(tensor.name), element_type_name(tensor.type));
    }
    head = io::npy_head(carrier, dims);
  }
  TIDELINE_TRY(extra.crc, content_crc(files, tensor, progress));
  TIDELINE_TRY(OutputFile file, out.file(name, source_readers(files.checkpoint())));
  TIDELINE_RETURN_IF_ERROR(file.append(*head));
  TIDELINE_RETURN_IF_ERROR(for_each_part(files, tensor, progress,
                                         [&](std::string_view part) { return file.append(part); }));
  return file.commit();
}

// Only what this program writes: nothing else is lost with a folder that is replaced.
Result<std::vector<std::string>> may_replace(const std::string& folder, const std::string& shown) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) continue;
    std::string name = at->path().lexically_relative(folder).string();
    const bool is_ours = at->symlink_status(ignored).type() == fs::file_type::regular &&
                         (name == kDescription || at->path().extension() == kEnding);
    if (!is_ours) {
      return fail(Code::kInvalidArgument,
                  "{}: holds {}, which is no .npy file and would be lost; expected another folder",
                  shown, printable(name));
    }
    files.push_back(std::move(name));
  }
  if (error) return fail(Code::kIo, "{}: cannot list: {}", shown, error.message());
  return files;
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool is_npy_folder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(fs::path(folder) / kDescription, error)) return true;
  const auto files = files_below(folder, 1);
  return files && !files->empty();
}

Status write_npy_folder(const Checkpoint& source, const std::string& path, bool replace,
                        Progress& progress) {
  const Readers readers = source_readers(source);
  TIDELINE_TRY(OutputFolder out,
               OutputFolder::create(without_slash(path), replace, may_replace, as_folder(readers)));
  out.sync_at_end();
  DataFiles files(source);
  Extras extras;
  std::int64_t done = 0;
  for (const StoredTensor& tensor : source.tensors) {
    if (!progress.report("writing", done++, static_cast<std::int64_t>(source.tensors.size()))) {
      return cancelled();
    }
    if (tensor.type != DataType::kString) {
      TIDELINE_RETURN_IF_ERROR(write_tensor(files, tensor, out, extras, progress));
      continue;
    }
    TIDELINE_TRY(std::vector<std::string> strings, read_strings(files, tensor));
    extras[tensor.name] = describe_strings(tensor, std::move(strings));
  }
  TIDELINE_TRY(const std::string description, extras_text(extras));
  TIDELINE_TRY(OutputFile file, out.file(kDescription, readers));
  TIDELINE_RETURN_IF_ERROR(file.append(description));
  TIDELINE_RETURN_IF_ERROR(file.commit());
  return out.commit();
}

Result<Checkpoint> open_npy_folder(const std::string& folder) {
  Checkpoint checkpoint;
  checkpoint.format = &kNpyFolderFormat;
  checkpoint.path = folder;
  TIDELINE_TRY(const Extras extras, read_description(folder));
  TIDELINE_TRY(const std::vector<std::string> names, files_below(folder));
  for (const std::string& name : names) {
    checkpoint.files.push_back((fs::path(folder) / name).string());
    const auto index = static_cast<std::uint32_t>(checkpoint.files.size() - 1);
    TIDELINE_TRY(StoredTensor tensor,
                 open_tensor(checkpoint.files.back(), npy_tensor_name(name), index));
    checkpoint.tensors.push_back(std::move(tensor));
  }
  sort_by_name(checkpoint.tensors);
  Status described = add_described(extras, checkpoint.tensors);
  if (!described) return tl::unexpected(with_context(std::move(described).error(), folder));
  const auto twice = std::adjacent_find(
      checkpoint.tensors.begin(), checkpoint.tensors.end(),
      [](const StoredTensor& a, const StoredTensor& b) { return a.name == b.name; });
  if (twice != checkpoint.tensors.end()) {
    return fail(Code::kCorrupt, "{}: two files are tensor '{}'", folder, printable(twice->name));
  }
  return checkpoint;
}

}  // namespace

std::string npy_file_name(std::string_view tensor) {
  std::string file;
  while (true) {
    const std::size_t slash = tensor.find('/');
    file += escaped_part(tensor.substr(0, slash), slash != std::string_view::npos);
    if (slash == std::string_view::npos) return file.append(kEnding);
    file += '/';
    tensor.remove_prefix(slash + 1);
  }
}

std::string npy_tensor_name(std::string_view file) {
  if (file.ends_with(kEnding)) file.remove_suffix(kEnding.size());
  std::string tensor;
  while (true) {
    const std::size_t slash = file.find('/');
    tensor += unescaped_part(file.substr(0, slash));
    if (slash == std::string_view::npos) return tensor;
    tensor += '/';
    file.remove_prefix(slash + 1);
  }
}

constinit const CheckpointFormat kNpyFolderFormat = {
    .title = "folder of .npy files",
    .word = "npy",
    .input = "a folder of .npy files",
    .output = "a folder, with a final /, for .npy files",
    .endings = {"/", kEnding},
    .folder_sign = kEnding,
    .is_folder = is_npy_folder,
    .open = open_npy_folder,
    .check_output =
        [](const std::string& path, bool replace) {
          return check_output_folder(without_slash(path), replace, may_replace);
        },
    .write = write_npy_folder,
};

}  // namespace tideline::checkpoint
