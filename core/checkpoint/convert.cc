// Tested by unit/checkpoint/convert_test.cc, tests/integration/checkpoint_test.py.
#include "core/checkpoint/convert.h"

#include <filesystem>

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

Status write_tensor(DataFiles& files, const StoredTensor& tensor, BundleWriter& out) {
  if (tensor.type == DataType::kString) {
    TIDELINE_TRY(const std::vector<std::string> strings, read_strings(files, tensor));
    return out.add_strings(tensor.name, tensor.dims, strings);
  }
  TIDELINE_RETURN_IF_ERROR(out.begin(tensor.name, tensor.type, tensor.dims));
  TensorStream stream(files, tensor);
  while (true) {
    TIDELINE_TRY(const std::string_view part, stream.next());
    if (part.empty()) return out.end();
    TIDELINE_RETURN_IF_ERROR(out.append(part));
  }
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
    TIDELINE_RETURN_IF_ERROR(write_tensor(files, tensor, out));
  }
  return out.commit();
}

bool is_same_place(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

Format format_of_name(std::string_view path) {
  if (path.ends_with(".safetensors")) return Format::kSafetensors;
  if (path.ends_with('/') || path.ends_with(".npy")) return Format::kNpyFolder;
  return Format::kTensorFlow;
}

std::optional<Format> parse_format(std::string_view word) {
  if (word == "tensorflow") return Format::kTensorFlow;
  if (word == "safetensors") return Format::kSafetensors;
  if (word == "npy") return Format::kNpyFolder;
  return std::nullopt;
}

Status check_conversion(const Checkpoint& source, const std::string& path, Format format,
                        bool replace) {
  if (is_same_place(source.path, without_slash(path))) {
    return fail(Code::kInvalidArgument, "{}: is the checkpoint itself; expected another output",
                path);
  }
  switch (format) {
    case Format::kTensorFlow: return check_output_path(index_path(path), replace);
    case Format::kSafetensors: return check_output_path(path, replace);
    case Format::kNpyFolder: return check_npy_output(without_slash(path), replace);
  }
  return {};
}

Status convert(const Checkpoint& source, const std::string& path, Format format, bool replace,
               Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check_conversion(source, path, format, replace));
  for (const StoredTensor& tensor : source.tensors) {
    if (tensor.type == DataType::kString || element_bytes(tensor.type).value_or(0) > 0) continue;
    return fail(Code::kUnsupported, "{}: tensor '{}' is of type {}; expected numbers or strings",
                source.path, printable(tensor.name), element_type_name(tensor.type));
  }
  switch (format) {
    case Format::kTensorFlow: return write_tensor_bundle(source, path, replace, progress);
    case Format::kSafetensors: return write_safetensors(source, path, replace, progress);
    case Format::kNpyFolder:
      return write_npy_folder(source, without_slash(path), replace, progress);
  }
  return {};
}

}  // namespace tideline::checkpoint
