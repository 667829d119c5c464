// Source: NumPy's documentation of savez (one .npy file an array, called NAME.npy; not compressed,
// or by savez_compressed deflated).
// Tested by unit/checkpoint/npz_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/bytes.h"
#include "core/base/input_file.h"
#include "core/base/text.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/inflated_file.h"
#include "core/checkpoint/zip_directory.h"
#include "core/graph/element_type.h"
#include "core/io/npy.h"

namespace tideline::checkpoint {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNpzEnding = ".npy";
constexpr std::size_t kNpzFirstBytes = 4096;  // most headers have 128
constexpr std::uint16_t kEncrypted = 1;       // a flag
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

Result<Packing> packing_of(const ZipMember& member) {
  if ((member.flags & kEncrypted) != 0) {
    return fail(Code::kUnsupported, "is encrypted; expected an archive without a password");
  }
  if (member.method != kStored && member.method != kDeflated) {
    return fail(Code::kUnsupported,
                "is compressed by method {}; expected 0 (stored) or 8 (deflated)", member.method);
  }
  Packing packing;
  packing.kind =
      member.method == kStored ? Packing::Kind::kStoredMember : Packing::Kind::kDeflatedMember;
  packing.offset = member.offset;
  packing.packed_bytes = member.packed_bytes;
  packing.zip_crc = member.crc;
  const bool is_stored = member.method == kStored;
  if (member.bytes > most_unpacked_bytes(packing.kind, member.packed_bytes) ||
      (is_stored && member.bytes != member.packed_bytes)) {
    return fail(Code::kCorrupt, "says that its {} bytes unpack to {}, which no deflated bytes can",
                member.packed_bytes, member.bytes);
  }
  return packing;
}

Result<io::NpyHead> read_head(const InputFile& file, const Packing& packing, Bytes bytes) {
  InflatedFile unpacked(file, packing, bytes);
  std::string start(static_cast<std::size_t>(std::min<Bytes>(bytes, kNpzFirstBytes)), '\0');
  TIDELINE_RETURN_IF_ERROR(unpacked.read(0, start.data(), start.size()));
  auto head = io::parse_npy_head(start);
  if (head || start.size() < kNpzFirstBytes) return head;
  start.resize(static_cast<std::size_t>(std::min<Bytes>(bytes, io::kMostNpyHeadBytes)));
  TIDELINE_RETURN_IF_ERROR(unpacked.read(0, start.data(), start.size()));
  return io::parse_npy_head(start);
}

Result<StoredTensor> open_member(const InputFile& file, const ZipMember& member) {
  TIDELINE_TRY(Packing packing, packing_of(member));
  TIDELINE_TRY(io::NpyHead head, read_head(file, packing, member.bytes));
  StoredTensor tensor;
  tensor.name = member.name.substr(0, member.name.size() - kNpzEnding.size());
  tensor.type = head.type;
  tensor.dims = std::move(head.dims);
  const auto bytes = tensor_content_bytes(tensor.type, tensor.dims);
  const auto head_bytes = static_cast<Bytes>(head.bytes);
  if (!bytes || !count_elements(tensor.dims) || *bytes != member.bytes - head_bytes) {
    return fail(Code::kCorrupt, "{} has {} bytes of elements, the member holds {}",
                type_and_shape(tensor), bytes.value_or(-1), member.bytes - head_bytes);
  }
  packing.skipped = head_bytes;
  Piece piece;
  piece.offset = member.offset;
  piece.bytes = *bytes;
  piece.packing = std::make_shared<const Packing>(std::move(packing));
  tensor.pieces.push_back(std::move(piece));
  return tensor;
}

Status add_members(const InputFile& file, Checkpoint& checkpoint) {
  TIDELINE_TRY(const std::vector<ZipMember> members, read_zip_directory(file));
  std::size_t others = 0;
  for (const ZipMember& member : members) {
    if (!member.name.ends_with(kNpzEnding)) {
      ++others;
      continue;
    }
    auto tensor = open_member(file, member);
    if (!tensor) {
      return tl::unexpected(with_context(std::move(tensor).error(),
                                         fmt::format("member '{}'", printable(member.name))));
    }
    checkpoint.tensors.push_back(*std::move(tensor));
  }
  if (others > 0) {
    checkpoint.notes.push_back(
        fmt::format("{}: {} of {} members are no .npy files", file.path(), others, members.size()));
  }
  sort_by_name(checkpoint.tensors);
  const auto twice = std::adjacent_find(
      checkpoint.tensors.begin(), checkpoint.tensors.end(),
      [](const StoredTensor& a, const StoredTensor& b) { return a.name == b.name; });
  if (twice == checkpoint.tensors.end()) return {};
  return fail(Code::kCorrupt, "two members are tensor '{}'", printable(twice->name));
}

// Whether a file with this beginning is a zip archive whose first member is a .npy file.
bool begins_like_npz(std::string_view head) {
  constexpr std::size_t kNameLength = 26;
  constexpr std::size_t kName = 30;
  if (head.size() < kName || !head.starts_with("PK\x03\x04"sv)) return false;
  const auto length = static_cast<std::size_t>(from_little_endian(head.substr(kNameLength, 2)));
  const std::string_view name = head.substr(kName, length);
  // If the name is longer than the bytes here, its end is not looked at.
  return name.size() < length || name.ends_with(kNpzEnding);
}

// Members that share bytes, and those that say they unpack to more than deflate can make, are
// refused. Only headers are unpacked.
Result<Checkpoint> open_npz(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  Checkpoint checkpoint;
  checkpoint.format = &kNpzFormat;
  checkpoint.path = path;
  checkpoint.files.push_back(path);
  Status added = add_members(file, checkpoint);
  if (!added) return tl::unexpected(with_context(std::move(added).error(), path));
  TIDELINE_RETURN_IF_ERROR(file.check_unchanged());
  return checkpoint;
}

}  // namespace

constinit const CheckpointFormat kNpzFormat = {
    .title = ".npz archive",
    .endings = {".npz"},
    .is_file = begins_like_npz,
    .open = open_npz,
};

}  // namespace tideline::checkpoint
