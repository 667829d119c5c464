// Tested by unit/checkpoint/safetensors_test.cc, unit/checkpoint/convert_test.cc.
#include "core/checkpoint/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "core/base/bytes.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/checkpoint/extras.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostHeadBytes = 100'000'000;
constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kWriteBytes = std::size_t{16} << 20U;
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kOurs = "tideline";

struct NamedType {
  DataType type;
  const char* name;
};
constexpr std::array kTypes = {
    NamedType{DataType::kBool, "BOOL"},
    NamedType{DataType::kUint8, "U8"},
    NamedType{DataType::kInt8, "I8"},
    NamedType{DataType::kFloat8E5m2, "F8_E5M2"},
    NamedType{DataType::kFloat8E4m3fn, "F8_E4M3"},
    NamedType{DataType::kInt16, "I16"},
    NamedType{DataType::kUint16, "U16"},
    NamedType{DataType::kHalf, "F16"},
    NamedType{DataType::kBfloat16, "BF16"},
    NamedType{DataType::kInt32, "I32"},
    NamedType{DataType::kUint32, "U32"},
    NamedType{DataType::kFloat, "F32"},
    NamedType{DataType::kDouble, "F64"},
    NamedType{DataType::kInt64, "I64"},
    NamedType{DataType::kUint64, "U64"},
    NamedType{DataType::kComplex64, "C64"},
};

const char* safetensors_name(DataType type) {
  for (const NamedType& known : kTypes) {
    if (known.type == type) return known.name;
  }
  return nullptr;
}

tl::unexpected<Error> bad(const std::string& name, const char* field, const char* expected) {
  return fail(Code::kCorrupt, "tensor '{}': {}: expected {}", printable(name), field, expected);
}

Result<std::int64_t> whole_number(const std::string& name, const char* field, const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() >> 63U != 0) {
    return bad(name, field, "whole numbers");
  }
  return json.get<std::int64_t>();
}

// `data_begin` and `data_bytes`: where the file's data begin, and how many there are.
Result<StoredTensor> parse_tensor(const std::string& name, const Json& entry,
                                  std::int64_t data_begin, std::int64_t data_bytes) {
  StoredTensor tensor;
  tensor.name = name;
  if (!entry.is_object()) return bad(name, "its entry", "an object");
  const auto type = entry.find("dtype");
  if (type == entry.end() || !type->is_string()) return bad(name, "dtype", "a type");
  const auto& type_name = type->get_ref<const std::string&>();
  const auto known = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const NamedType& each) { return each.name == type_name; });
  if (known == kTypes.end()) {
    return fail(Code::kUnsupported, "tensor '{}': dtype: '{}'; expected a type of TensorFlow",
                printable(name), printable(type_name));
  }
  tensor.type = known->type;
  const auto shape = entry.find("shape");
  if (shape == entry.end() || !shape->is_array() || shape->size() > kMostDims) {
    return bad(name, "shape", "a list of sizes");
  }
  for (const Json& each : *shape) {
    TIDELINE_TRY(const std::int64_t dim, whole_number(name, "shape", each));
    tensor.dims.push_back(dim);
  }
  const auto place = entry.find("data_offsets");
  if (place == entry.end() || !place->is_array() || place->size() != 2) {
    return bad(name, "data_offsets", "two offsets");
  }
  TIDELINE_TRY(const std::int64_t begin, whole_number(name, "data_offsets", (*place)[0]));
  TIDELINE_TRY(const std::int64_t end, whole_number(name, "data_offsets", (*place)[1]));
  const auto wanted = tensor_content_bytes(tensor.type, tensor.dims);
  if (!wanted || !count_elements(tensor.dims) || end < begin || end - begin != *wanted) {
    return fail(Code::kCorrupt, "tensor '{}': {} does not take the bytes from {} to {}",
                printable(name), describe(tensor.type, Shape::of(tensor.dims)), begin, end);
  }
  if (end > data_bytes) {
    return fail(Code::kCorrupt, "tensor '{}': data_offsets: {}; the file has {} bytes of data",
                printable(name), end, data_bytes);
  }
  Piece piece;
  piece.offset = data_begin + begin;
  piece.bytes = *wanted;
  tensor.pieces.push_back(piece);
  return tensor;
}

// A name twice would be two tensors, of which JSON keeps one.
Result<Json> parse_head(std::string_view text) {
  std::set<std::string> names;
  std::string twice;
  const Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::key && depth == 1 && twice.empty() &&
            !names.insert(parsed.get_ref<const std::string&>()).second) {
          twice = parsed.get<std::string>();
        }
        return true;
      },
      false);
  if (!twice.empty()) return fail(Code::kCorrupt, "tensor '{}' is there twice", printable(twice));
  if (!json.is_object()) return fail(Code::kCorrupt, "the header is no JSON object");
  return json;
}

Status check_places(const Checkpoint& checkpoint, std::int64_t begin, std::int64_t end) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : checkpoint.tensors) {
    if (!tensor.pieces.empty()) order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [](const StoredTensor* a, const StoredTensor* b) {
    const Piece& x = a->pieces.front();
    const Piece& y = b->pieces.front();
    return std::pair(x.offset, x.bytes) < std::pair(y.offset, y.bytes);
  });
  for (const StoredTensor* tensor : order) {
    const Piece& piece = tensor->pieces.front();
    if (piece.offset != begin) {
      return fail(Code::kCorrupt,
                  "tensor '{}': begins at byte {}; expected it behind the tensor before it, at "
                  "byte {}",
                  printable(tensor->name), piece.offset, begin);
    }
    begin += piece.bytes;
  }
  if (begin == end) return {};
  return fail(Code::kCorrupt, "its tensors end at byte {}, the file at byte {}", begin, end);
}

Result<Extras> read_extras(const Json& head) {
  const auto metadata = head.find(kMetadata);
  if (metadata == head.end()) return Extras();
  if (!metadata->is_object()) return fail(Code::kCorrupt, "{}: expected an object", kMetadata);
  const auto ours = metadata->find(kOurs);
  if (ours == metadata->end() || !ours->is_string()) return Extras();
  return parse_extras(ours->get_ref<const std::string&>());
}

Result<Checkpoint> parse(const std::string& path, std::string_view head, std::int64_t file_bytes) {
  TIDELINE_TRY(const std::int64_t begin, safetensors_head_bytes(head, file_bytes));
  TIDELINE_TRY(const Json json, parse_head(head.substr(
                                    kLengthBytes, static_cast<std::size_t>(begin) - kLengthBytes)));
  TIDELINE_TRY(const Extras extras, read_extras(json));
  Checkpoint checkpoint;
  checkpoint.format = Format::kSafetensors;
  checkpoint.path = path;
  checkpoint.files.push_back(path);
  for (const auto& [name, entry] : json.items()) {
    if (name == kMetadata) continue;
    TIDELINE_TRY(StoredTensor tensor, parse_tensor(name, entry, begin, file_bytes - begin));
    if (const auto extra = extras.find(name); extra != extras.end() && !extra->second.strings) {
      TIDELINE_RETURN_IF_ERROR(apply_extra(extra->second, tensor));
    }
    checkpoint.tensors.push_back(std::move(tensor));
  }
  for (const auto& [name, extra] : extras) {
    if (!extra.strings) continue;
    if (json.contains(name)) return bad(name, "its entry", "strings in the metadata alone");
    checkpoint.tensors.push_back(described_strings(name, extra));
  }
  sort_by_name(checkpoint.tensors);
  TIDELINE_RETURN_IF_ERROR(check_places(checkpoint, begin, file_bytes));
  return checkpoint;
}

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

  Status add(const std::string& name, DataType type, std::vector<std::int64_t> dims,
             std::uint32_t crc) {
    const auto bytes = tensor_content_bytes(type, dims);
    const char* stored = safetensors_name(type);
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
    if (name == kMetadata || !is_utf8(name)) {
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
    head_[kMetadata] = {{"format", "tf"}, {kOurs, ours}};
    std::string text = head_.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    if (static_cast<std::int64_t>(text.size()) > kMostHeadBytes) {
      return fail(Code::kUnsupported, "names and strings take {} bytes; safetensors allows {}",
                  text.size(), kMostHeadBytes);
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
    TIDELINE_RETURN_IF_ERROR(head.add(tensor->name, tensor->type, tensor->dims, crc));
  }
  for (const StoredTensor& tensor : files.checkpoint().tensors) {
    if (tensor.type != DataType::kString) continue;
    TIDELINE_TRY(std::vector<std::string> strings, read_strings(files, tensor));
    head.extras[tensor.name] = describe_strings(tensor, std::move(strings));
  }
  return head.finish();
}

}  // namespace

bool begins_like_safetensors(std::string_view head) {
  return head.size() > kLengthBytes && head[kLengthBytes] == '{' &&
         from_little_endian(head.substr(0, kLengthBytes)) <=
             static_cast<std::uint64_t>(kMostHeadBytes);
}

Result<std::int64_t> safetensors_head_bytes(std::string_view head, std::int64_t file_bytes) {
  if (!begins_like_safetensors(head)) {
    return fail(Code::kCorrupt, "does not begin like a safetensors file");
  }
  const auto bytes = static_cast<std::int64_t>(from_little_endian(head.substr(0, kLengthBytes)));
  const std::int64_t all = bytes + static_cast<std::int64_t>(kLengthBytes);
  if (all > file_bytes) {
    return fail(Code::kCorrupt, "ends inside its header of {} bytes", bytes);
  }
  return all;
}

Result<Checkpoint> parse_safetensors(const std::string& path, std::string_view head,
                                     std::int64_t file_bytes) {
  auto checkpoint = parse(path, head, file_bytes);
  if (!checkpoint) return tl::unexpected(with_context(std::move(checkpoint).error(), path));
  return checkpoint;
}

Result<Checkpoint> open_safetensors(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  const auto file_bytes = static_cast<std::int64_t>(file.size());
  std::string head(kLengthBytes + 1, '\0');
  TIDELINE_TRY(const std::size_t got, file.read_at(0, head.data(), head.size()));
  const auto bytes = safetensors_head_bytes(std::string_view(head).substr(0, got), file_bytes);
  if (!bytes) return tl::unexpected(with_context(bytes.error(), path));
  head.resize(static_cast<std::size_t>(*bytes));
  TIDELINE_TRY(const std::size_t read, file.read_at(0, head.data(), head.size()));
  if (read < head.size()) return changed_while_read(path);
  return parse_safetensors(path, head, file_bytes);
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
        writer.add(tensors[i].name, tensors[i].type, tensors[i].dims, checksum_of(i)));
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

}  // namespace tideline::checkpoint
