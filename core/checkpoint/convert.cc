// Tested by unit/checkpoint/convert_test.cc, tests/integration/checkpoint_test.py.
#include "core/checkpoint/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/text.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {

std::vector<std::string> texts_of(std::string_view CheckpointFormat::*member) {
  std::vector<std::string> texts;
  for (const CheckpointFormat* format : formats()) {
    if (!(format->*member).empty()) texts.emplace_back(format->*member);
  }
  return texts;
}

std::string expected_input() {
  return "expected " + alternatives(texts_of(&CheckpointFormat::input));
}

std::string expected_output() {
  std::vector<std::string> all = texts_of(&CheckpointFormat::output);
  all.back().insert(0, "or ");
  return fmt::format("{}", fmt::join(all, ", "));
}

const CheckpointFormat& format_of_name(std::string_view path) {
  for (const CheckpointFormat* format : formats()) {
    for (const std::string_view ending : format->endings) {
      if (!ending.empty() && path.ends_with(ending)) return *format;
    }
  }
  return kBundleFormat;
}

const CheckpointFormat* parse_format(std::string_view word) {
  for (const CheckpointFormat* format : formats()) {
    if (!word.empty() && format->word == word) return format;
  }
  return nullptr;
}

bool holds_file_of(const Checkpoint& source, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path place = fs::canonical(path, error);
  if (error) return false;  // what is not there is nobody's
  std::vector<std::string> files = source.files;
  files.push_back(source.format->main_file(source.path));
  for (const std::string& file : files) {
    const fs::path found = fs::canonical(file, error);
    if (error) continue;
    const auto differs = std::mismatch(place.begin(), place.end(), found.begin(), found.end());
    if (differs.first == place.end()) return true;
  }
  return false;
}

Status check_conversion(const Checkpoint& source, const std::string& path,
                        const CheckpointFormat& format, bool replace) {
  if (format.write == nullptr) {
    return fail(Code::kUnsupported, "{}: a {} is read only; expected {}", path, format.title,
                expected_output());
  }
  for (const std::string& output :
       format.outputs != nullptr ? format.outputs(path) : std::vector{path}) {
    if (!holds_file_of(source, output)) continue;
    return fail(Code::kInvalidArgument,
                "{}: is the checkpoint itself or a part of it; expected another output", path);
  }
  return format.check_output(path, replace);
}

Status convert(const Checkpoint& source, const std::string& path, const CheckpointFormat& format,
               bool replace, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check_conversion(source, path, format, replace));
  for (const StoredTensor& tensor : source.tensors) {
    if (tensor.type == DataType::kString || element_bytes(tensor.type).value_or(0) > 0) continue;
    if (!tensor.foreign_type.empty()) {
      if (format.has_foreign_types) continue;
      return fail(Code::kUnsupported,
                  "{}: tensor '{}' is of type {}, which only {} has; expected {} as output",
                  source.path, printable(tensor.name), tensor.foreign_type, kSafetensorsFormat.word,
                  kSafetensorsFormat.output);
    }
    return fail(Code::kUnsupported, "{}: tensor '{}' is of type {}; expected numbers or strings",
                source.path, printable(tensor.name), element_type_name(tensor.type));
  }
  return format.write(source, path, replace, progress);
}

}  // namespace tideline::checkpoint
