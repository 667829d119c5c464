// Fuzz target: checkpoints. The first byte chooses what the rest is: an index; entries of an index,
// which then gets right checksums, and data; an encoded tensor of strings; a safetensors file; a
// description of arrays; a table of version 1; an .npz archive. What is read is consistent, and
// written and read again it is the same.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/checkpoint/extras.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/npy_folder.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/statistics.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"
#include "core/io/wire.h"
#include "tests/fuzz/require.h"

namespace tideline::fuzz {
namespace {

using namespace checkpoint;

constexpr std::size_t kMaxInput = 1U << 16U;
constexpr Bytes kMostRead = 1 << 16;

void check_listing(const Checkpoint& opened) {
  const StoredTensor* before = nullptr;
  for (const StoredTensor& tensor : opened.tensors) {
    require(before == nullptr || before->name < tensor.name, "names ascend");
    before = &tensor;
    require(opened.find(tensor.name) == &tensor, "a tensor is found by its name");
    require(count_elements(tensor.dims).has_value(), "elements can be counted");
    require(element_bytes(tensor.type).has_value() || !tensor.foreign_type.empty(),
            "the type is known");
    for (const Piece& piece : tensor.pieces) {
      require(piece.file < opened.files.size(), "a piece lies in a file");
      require(piece.offset >= 0 && piece.bytes >= 0, "a piece has a place");
    }
    require(npy_tensor_name(npy_file_name(tensor.name)) == tensor.name, "names become files",
            tensor.name);
  }
}

// Reads everything from one file that stands for all of them.
void check_data(Checkpoint opened, std::string_view data) {
  const Descriptor file(::memfd_create("data", MFD_CLOEXEC));
  require(::write(file.value(), data.data(), data.size()) == static_cast<ssize_t>(data.size()),
          "data are written");
  for (std::string& path : opened.files) path = fmt::format("/proc/self/fd/{}", file.value());
  for (const StoredTensor& tensor : opened.tensors) {
    if (tensor.stored_bytes() > kMostRead) return;
  }
  Progress silent;
  const auto found = verify(opened, silent);
  require(found.has_value(), "verifying has an end");
  for (const Damage& damage : found->damages) require_readable({Code::kCorrupt, damage.what});
  DataFiles files(opened);
  for (const StoredTensor& tensor : opened.tensors) {
    if (tensor.type == DataType::kString) {
      if (const auto strings = read_strings(files, tensor); !strings) {
        require_readable(strings.error());
      }
      continue;
    }
    const auto content = read_tensor(files, tensor);
    if (!content) {
      require_readable(content.error());
      continue;
    }
    require(static_cast<Bytes>(content->size()) == tensor_content_bytes(tensor.type, tensor.dims),
            "a tensor has the bytes of its shape");
    const auto counted = statistics_of(files, tensor, silent);
    require(counted && counted->elements == tensor.element_count(), "every element is counted");
  }
}

void run_index(std::string_view bytes) {
  std::map<std::string, std::string> entries;
  const Status read = read_table(bytes, [&](std::string_view key, std::string_view value) {
    entries.emplace(key, value);
    return Status();
  });
  if (!read) return require_readable(read.error());
  std::map<std::string, std::string> again;
  const Status reread =
      read_table(write_table(entries), [&](std::string_view key, std::string_view value) {
        again.emplace(key, value);
        return Status();
      });
  require(reread.has_value() && again == entries, "a table written again is the same");
  const auto opened = parse_tensor_bundle("m", bytes);
  if (!opened) return require_readable(opened.error());
  check_listing(*opened);
}

// Lengths and texts, key and value in turn; what does not parse is the data file.
void run_entries(std::string_view bytes) {
  std::map<std::string, std::string> entries;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  const auto text = [&](std::string& out) {
    std::uint64_t size = 0;
    if (!io::read_varint(at, end, size) || size > static_cast<std::uint64_t>(end - at))
      return false;
    out.assign(at, static_cast<std::size_t>(size));
    at += size;
    return true;
  };
  for (std::string key, value; text(key) && text(value);) entries[key] = value;
  const auto opened = parse_tensor_bundle("m", write_table(entries));
  if (!opened) return require_readable(opened.error());
  check_listing(*opened);
  check_data(*opened, {at, static_cast<std::size_t>(end - at)});
}

void run_strings(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto decoded = decode_strings(bytes.substr(1), static_cast<unsigned char>(bytes[0]));
  if (!decoded) return require_readable(decoded.error());
  const EncodedStrings encoded = encode_strings({decoded->strings.begin(), decoded->strings.end()});
  require(encoded.crc == decoded->crc, "strings encoded again have the same checksum");
}

void run_safetensors(std::string_view bytes) {
  const auto opened = parse_safetensors("m", bytes, static_cast<std::int64_t>(bytes.size()));
  if (!opened) return require_readable(opened.error());
  check_listing(*opened);
  check_data(*opened, bytes);
}

// Opens bytes as a file.
template <typename Open>
void run_file(std::string_view bytes, const Open& open) {
  const Descriptor file(::memfd_create("data", MFD_CLOEXEC));
  require(::write(file.value(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "data are written");
  const auto opened = open(fmt::format("/proc/self/fd/{}", file.value()));
  if (!opened) return require_readable(opened.error());
  check_listing(*opened);
  check_data(*opened, bytes);
}

void run_table(std::string_view bytes) {
  run_file(bytes, kTableFormat.open);
}

void run_extras(std::string_view bytes) {
  const auto extras = parse_extras(bytes);
  if (!extras) return require_readable(extras.error());
  const auto text = extras_text(*extras);
  if (!text) return require_readable(text.error());
  const auto again = parse_extras(*text);
  require(again.has_value(), "a description that was written is read");
  const auto text_again = extras_text(*again);
  require(text_again.has_value() && *text_again == *text, "and written again it is the same");
}

void run(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::string_view rest = bytes.substr(1);
  switch (bytes.front()) {
    case 'i': return run_index(rest);
    case 'e': return run_entries(rest);
    case 's': return run_strings(rest);
    case 't': return run_safetensors(rest);
    case 'x': return run_extras(rest);
    case 'v': return run_table(rest);
    case 'z': return run_file(rest, kNpzFormat.open);
    default: return;
  }
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > tideline::fuzz::kMaxInput) return 0;
  tideline::fuzz::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
