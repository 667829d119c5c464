// A format of checkpoints that no product has: of each tensor its name and the number of its
// elements on a line, then the elements, of type float32, and a line feed.
#include <fmt/format.h>

#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/base/parse.h"
#include "core/base/source_bytes.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "tests/toy/toy_formats.h"

namespace tideline::toy {
namespace {

using checkpoint::Checkpoint;
using checkpoint::StoredTensor;

constexpr std::string_view kHead = "toycheckpoint\n";

Result<Checkpoint> open(const std::string& path) {
  TIDELINE_TRY(const SharedBytes source, open_bytes(path));
  const std::string_view bytes = source->bytes();
  Checkpoint opened{&kCheckpointFormat, path, {path}, {}};
  for (std::size_t at = kHead.size(); at < bytes.size();) {
    const std::string_view line = bytes.substr(at, bytes.find('\n', at) - at);
    const std::size_t space = std::min(line.find(' '), line.size());
    const auto count = parse_as<std::int64_t>(line.substr(std::min(space + 1, line.size())));
    if (!count || *count < 0) {
      return fail(Code::kCorrupt, "{}: at byte {}: expected a name and a number", path, at);
    }
    StoredTensor tensor;
    tensor.name = line.substr(0, space);
    tensor.type = DataType::kFloat;
    tensor.dims = {*count};
    at += line.size() + 1;
    tensor.pieces.emplace_back();
    tensor.pieces.back().offset = static_cast<std::int64_t>(at);
    tensor.pieces.back().bytes = 4 * *count;
    at += static_cast<std::size_t>(4 * *count) + 1;
    opened.tensors.push_back(std::move(tensor));
  }
  sort_by_name(opened.tensors);
  return opened;
}

// Of the bytes that belong to no tensor only the line feeds.
Status check_rest(checkpoint::DataFiles& files, checkpoint::Verification& found, Progress&) {
  const Checkpoint& opened = files.checkpoint();
  TIDELINE_TRY(const SharedBytes source, open_bytes(opened.path));
  for (const StoredTensor& tensor : opened.tensors) {
    const std::int64_t end = tensor.pieces[0].offset + tensor.pieces[0].bytes;
    if (source->bytes().substr(static_cast<std::size_t>(end)).starts_with('\n')) continue;
    found.damages.push_back({"", opened.path, end, 1, -1, "expected a line feed"});
  }
  return {};
}

Status write(const Checkpoint& source, const std::string& path, bool replace, Progress& progress) {
  TIDELINE_TRY(OutputFile out, OutputFile::create(path, replace));
  TIDELINE_RETURN_IF_ERROR(out.append(kHead));
  checkpoint::DataFiles files(source);
  for (const StoredTensor& tensor : source.tensors) {
    if (tensor.type != DataType::kFloat) {
      return fail(Code::kUnsupported, "tensor '{}': a toy has float32 alone", tensor.name);
    }
    TIDELINE_RETURN_IF_ERROR(
        out.append(fmt::format("{} {}\n", tensor.name, tensor.element_count())));
    TIDELINE_RETURN_IF_ERROR(checkpoint::for_each_part(
        files, tensor, progress, [&](std::string_view part) { return out.append(part); }));
    TIDELINE_RETURN_IF_ERROR(out.append("\n"));
  }
  return out.commit();
}

}  // namespace

constinit const checkpoint::CheckpointFormat kCheckpointFormat = {
    .title = "toy checkpoint",
    .word = "toy",
    .input = "a toy checkpoint",
    .output = "a .toyckpt file",
    .endings = {".toyckpt"},
    .is_file = [](std::string_view head) { return head.starts_with(kHead); },
    .open = open,
    .check_rest = check_rest,
    .check_output = check_output_path,
    .write = write,
};

}  // namespace tideline::toy
