// Tested by unit/checkpoint/convert_test.cc, tests/integration/checkpoint_test.py.
#include "core/checkpoint/convert.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/checkpoint/bundle_writer.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/npy_folder.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

Status write_tensor(DataFiles& files, const StoredTensor& tensor, BundleWriter& out,
                    Progress& progress) {
  if (tensor.type == DataType::kString) {
    TIDELINE_TRY(const std::vector<std::string> strings, read_strings(files, tensor));
    return out.add_strings(tensor.name, tensor.dims, strings);
  }
  TIDELINE_RETURN_IF_ERROR(out.begin(tensor.name, tensor.type, tensor.dims));
  TIDELINE_RETURN_IF_ERROR(for_each_part(files, tensor, progress,
                                         [&](std::string_view part) { return out.append(part); }));
  return out.end();
}

Status write_tensor_bundle(const Checkpoint& source, const std::string& prefix, bool replace,
                           Progress& progress) {
  TIDELINE_TRY(BundleWriter out, BundleWriter::create(prefix, replace, source_readers(source)));
  DataFiles files(source);
  std::int64_t done = 0;
  for (const StoredTensor& tensor : source.tensors) {
    if (!progress.report("writing", done++, static_cast<std::int64_t>(source.tensors.size()))) {
      return cancelled();
    }
    TIDELINE_RETURN_IF_ERROR(write_tensor(files, tensor, out, progress));
  }
  return out.commit(progress);
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// The files that `convert` would write, or the folder.
std::vector<std::string> outputs_of(const std::string& path, Format format) {
  switch (format) {
    case Format::kTensorFlow:
      return {index_path(path), shard_path(path, 0, 1), shard_path(path, 0, 2)};
    case Format::kSafetensors: return {path};
    case Format::kNpyFolder: return {without_slash(path)};
    default: return {};
  }
}

tl::unexpected<Error> read_only(const std::string& path, Format format) {
  return fail(
      Code::kUnsupported,
      "{}: a {} is read only; expected the prefix of a TensorFlow checkpoint, a .safetensors "
      "file, or a folder, with a final /, for .npy files",
      path, format_name(format));
}

}  // namespace

Format format_of_name(std::string_view path) {
  if (path.ends_with(".safetensors")) return Format::kSafetensors;
  if (path.ends_with('/') || path.ends_with(".npy")) return Format::kNpyFolder;
  if (path.ends_with(".npz")) return Format::kNpz;
  return Format::kTensorFlow;
}

std::optional<Format> parse_format(std::string_view word) {
  if (word == "tensorflow") return Format::kTensorFlow;
  if (word == "safetensors") return Format::kSafetensors;
  if (word == "npy") return Format::kNpyFolder;
  return std::nullopt;
}

bool holds_file_of(const Checkpoint& source, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path place = fs::canonical(path, error);
  if (error) return false;  // what is not there is nobody's
  std::vector<std::string> files = source.files;
  files.push_back(source.format == Format::kTensorFlow ? index_path(source.path) : source.path);
  for (const std::string& file : files) {
    const fs::path found = fs::canonical(file, error);
    if (error) continue;
    const auto differs = std::mismatch(place.begin(), place.end(), found.begin(), found.end());
    if (differs.first == place.end()) return true;
  }
  return false;
}

Status check_conversion(const Checkpoint& source, const std::string& path, Format format,
                        bool replace) {
  if (format == Format::kTensorFlow && !std::filesystem::path(path).has_filename()) {
    return fail(Code::kInvalidArgument, "'{}': expected the prefix of a checkpoint, such as {}ckpt",
                path, path);
  }
  for (const std::string& output : outputs_of(path, format)) {
    if (!holds_file_of(source, output)) continue;
    return fail(Code::kInvalidArgument,
                "{}: is the checkpoint itself or a part of it; expected another output", path);
  }
  switch (format) {
    case Format::kTensorFlow: return check_output_path(index_path(path), replace);
    case Format::kSafetensors: return check_output_path(path, replace);
    case Format::kNpyFolder: return check_npy_output(without_slash(path), replace);
    default: return read_only(path, format);
  }
}

Status convert(const Checkpoint& source, const std::string& path, Format format, bool replace,
               Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check_conversion(source, path, format, replace));
  for (const StoredTensor& tensor : source.tensors) {
    if (tensor.type == DataType::kString || element_bytes(tensor.type).value_or(0) > 0) continue;
    if (!tensor.foreign_type.empty()) {
      if (format == Format::kSafetensors) continue;
      return fail(Code::kUnsupported,
                  "{}: tensor '{}' is of type {}, which only safetensors has; expected a "
                  ".safetensors file as output",
                  source.path, printable(tensor.name), tensor.foreign_type);
    }
    return fail(Code::kUnsupported, "{}: tensor '{}' is of type {}; expected numbers or strings",
                source.path, printable(tensor.name), element_type_name(tensor.type));
  }
  switch (format) {
    case Format::kTensorFlow: return write_tensor_bundle(source, path, replace, progress);
    case Format::kSafetensors: return write_safetensors(source, path, replace, progress);
    case Format::kNpyFolder:
      return write_npy_folder(source, without_slash(path), replace, progress);
    default: return read_only(path, format);
  }
}

}  // namespace tideline::checkpoint
