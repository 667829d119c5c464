// Tested by unit/checkpoint/safetensors_test.cc, unit/checkpoint/convert_test.cc.
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/bytes.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/checkpoint/extras.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kHeadLengthBytes = 8;
constexpr std::size_t kWriteBytes = std::size_t{16} << 20U;

// The tensors with bytes, the widest elements first, so that all are aligned; as others write it.
std::vector<const StoredTensor*> written_order(const Checkpoint& source) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : source.tensors) {
    if (tensor.type != DataType::kString) order.push_back(&tensor);
  }
  std::stable_sort(order.begin(), order.end(), [](const StoredTensor* a, const StoredTensor* b) {
    return element_bytes(a->type).value_or(0) > element_bytes(b->type).value_or(0);
  });
  return order;
}

// The header, with the number before it. Adds types that the format lacks, and checksums, to
// `extras`.
class HeadWriter {
 public:
  Extras extras;

  // `foreign`: the name of a type that TensorFlow lacks; empty for others.
  Status add(const std::string& name, DataType type, const std::string& foreign,
             std::vector<std::int64_t> dims, std::uint32_t crc) {
    const auto bytes =
        foreign.empty() ? tensor_content_bytes(type, dims) : foreign_content_bytes(foreign, dims);
    const char* stored = foreign.empty() ? safetensors_name(type) : foreign.c_str();
    Extra& extra = extras[name];
    extra.crc = crc;
    if (stored == nullptr) {
      extra.type = type;
      stored = safetensors_name(carry(type, dims));
    }
    if (stored == nullptr || !bytes) {
      return fail(Code::kUnsupported, "tensor '{}': safetensors has no type for {}",
                  printable(name), element_type_name(type));
    }
    if (name == kSafetensorsMetadata || !is_utf8(name)) {
      return fail(Code::kUnsupported, "tensor '{}': safetensors cannot have this name",
                  printable(name));
    }
    const std::int64_t end = saturating_add(at_, *bytes);
    if (end == std::numeric_limits<std::int64_t>::max()) {
      return fail(Code::kUnsupported, "tensor '{}': ends beyond what a safetensors file can hold",
                  printable(name));
    }
    head_[name] = {{"dtype", stored}, {"shape", dims}, {"data_offsets", {at_, end}}};
    at_ = end;
    return {};
  }

  Result<std::string> finish() {
    TIDELINE_TRY(const std::string ours, extras_text(extras));
    head_[kSafetensorsMetadata] = {{"format", "tf"}, {kSafetensorsExtras, ours}};
    std::string text = head_.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    if (static_cast<std::int64_t>(text.size()) > kMostSafetensorsHeadBytes) {
      return fail(Code::kUnsupported, "names and strings take {} bytes; safetensors allows {}",
                  text.size(), kMostSafetensorsHeadBytes);
    }
    std::string length;
    append_little_endian(length, std::uint64_t{text.size()});
    return length + text;
  }

 private:
  Json head_ = Json::object();
  std::int64_t at_ = 0;
};

Result<std::string> make_head(DataFiles& files, const std::vector<const StoredTensor*>& order,
                              Progress& progress) {
  HeadWriter head;
  for (const StoredTensor* tensor : order) {
    TIDELINE_TRY(const std::uint32_t crc, content_crc(files, *tensor, progress));
    TIDELINE_RETURN_IF_ERROR(
        head.add(tensor->name, tensor->type, tensor->foreign_type, tensor->dims, crc));
  }
  for (const StoredTensor& tensor : files.checkpoint().tensors) {
    if (tensor.type != DataType::kString) continue;
    TIDELINE_TRY(std::vector<std::string> strings, read_strings(files, tensor));
    head.extras[tensor.name] = describe_strings(tensor, std::move(strings));
  }
  return head.finish();
}

Status write_safetensors(const Checkpoint& source, const std::string& path, bool replace,
                         Progress& progress) {
  DataFiles files(source);
  const auto order = written_order(source);
  TIDELINE_TRY(const std::string head, make_head(files, order, progress));
  TIDELINE_TRY(OutputFile out, OutputFile::create(path, replace, source_readers(source)));
  TIDELINE_RETURN_IF_ERROR(out.append(head));
  std::int64_t done = 0;
  for (const StoredTensor* tensor : order) {
    if (!progress.report("writing", done++, static_cast<std::int64_t>(order.size()))) {
      return cancelled();
    }
    TIDELINE_RETURN_IF_ERROR(for_each_part(
        files, *tensor, progress, [&](std::string_view part) { return out.append(part); }));
  }
  return out.commit();
}

Result<Checkpoint> open_safetensors(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  const auto file_bytes = static_cast<std::int64_t>(file.size());
  std::string head(kHeadLengthBytes + 1, '\0');
  TIDELINE_TRY(const std::size_t got, file.read_at(0, head.data(), head.size()));
  const auto bytes = safetensors_head_bytes(std::string_view(head).substr(0, got), file_bytes);
  if (!bytes) return tl::unexpected(with_context(bytes.error(), path));
  head.resize(static_cast<std::size_t>(*bytes));
  TIDELINE_TRY(const std::size_t read, file.read_at(0, head.data(), head.size()));
  if (read < head.size()) return changed_while_read(path);
  return parse_safetensors(path, head, file_bytes);
}

}  // namespace

Status save_safetensors(const std::string& path, const std::vector<MemoryTensor>& tensors,
                        const ChecksumOf& checksum_of, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check_tensors(tensors));
  for (const MemoryTensor& tensor : tensors) {
    if (tensor.type == DataType::kString) {
      return fail(Code::kUnsupported, "tensor '{}': is of type string; expected numbers",
                  printable(tensor.name));
    }
  }
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return element_bytes(tensors[a].type).value_or(0) > element_bytes(tensors[b].type).value_or(0);
  });
  HeadWriter writer;
  for (const std::size_t i : order) {
    TIDELINE_RETURN_IF_ERROR(
        writer.add(tensors[i].name, tensors[i].type, "", tensors[i].dims, checksum_of(i)));
  }
  TIDELINE_TRY(const std::string head, writer.finish());
  TIDELINE_TRY(OutputFile out, OutputFile::create(path, true));
  TIDELINE_RETURN_IF_ERROR(out.append(head));
  std::int64_t done = 0;
  for (const std::size_t i : order) {
    if (tensors[i].before_read) {
      TIDELINE_RETURN_IF_ERROR(tensors[i].before_read());
    }
    for (std::size_t at = 0; at < tensors[i].bytes; at += kWriteBytes) {
      if (!progress.report("saving", done, 0)) return cancelled();
      const std::size_t size = std::min(kWriteBytes, tensors[i].bytes - at);
      TIDELINE_RETURN_IF_ERROR(out.append({tensors[i].data + at, size}));
      done += static_cast<std::int64_t>(size);
    }
  }
  return out.commit();
}

constinit const CheckpointFormat kSafetensorsFormat = {
    .title = "safetensors file",
    .word = "safetensors",
    .input = "a safetensors file",
    .output = "a .safetensors file",
    .endings = {".safetensors"},
    .file_in_folder = "model.safetensors",
    .has_foreign_types = true,
    .is_file = begins_like_safetensors,
    .open = open_safetensors,
    .check_output = check_output_path,
    .write = write_safetensors,
};

}  // namespace tideline::checkpoint
