// Source: NumPy's documentation of savez (one .npy file an array, called NAME.npy; not compressed,
// or by savez_compressed deflated).
// Tested by unit/checkpoint/npz_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/text.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/inflated_file.h"
#include "core/graph/element_type.h"
#include "core/io/npy.h"

namespace tideline::checkpoint {
namespace {

// The list of members of a zip archive.
// Format: every member has a header before its bytes; at the end of the file a directory lists them
//   again, and an end record says where the directory is. Sizes and places are taken from the
//   directory, from the header only its length. Numbers that do not fit are all ones, and stand in
//   an extra field and in a second end record (zip64).
// Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3 to 4.5.
// Tested by: unit/checkpoint/npz_test.cc.

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
  std::uint32_t crc = 0;     ///< CRC-32 of the unpacked bytes
  std::int64_t packed_bytes = 0;
  std::int64_t bytes = 0;   ///< unpacked
  std::int64_t begin = 0;   ///< of its header in the file
  std::int64_t offset = 0;  ///< of its packed bytes
};

using namespace std::string_view_literals;

constexpr std::string_view kEndMark = "PK\x05\x06"sv;
constexpr std::string_view kWideEndMark = "PK\x06\x06"sv;
constexpr std::string_view kWidePlaceMark = "PK\x06\x07"sv;
constexpr std::string_view kEntryMark = "PK\x01\x02"sv;
constexpr std::string_view kHeaderMark = "PK\x03\x04"sv;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kWideEndBytes = 56;
constexpr std::size_t kWidePlaceBytes = 20;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kHeaderBytes = 30;
constexpr std::size_t kMostCommentBytes = 65535;
constexpr std::uint64_t kSeeWide = 0xffffffffU;

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

std::uint64_t number(std::string_view record, std::size_t at, std::size_t bytes) {
  return from_little_endian(record.substr(at, bytes));
}

tl::unexpected<Error> damaged_zip(const char* what) {
  return fail(Code::kCorrupt, "the {} of the archive does not parse", what);
}

Result<std::string> bytes_at(const InputFile& file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return damaged_zip("directory");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  TIDELINE_TRY(const std::size_t got,
               file.read_at(static_cast<std::size_t>(offset), bytes.data(), bytes.size()));
  if (got < bytes.size()) return changed_while_read(file.path());
  return bytes;
}

Result<Directory> find_directory(const InputFile& file) {
  const std::size_t most = kEndBytes + kMostCommentBytes + kWidePlaceBytes;
  const std::size_t size = std::min(file.size(), most);
  TIDELINE_TRY(const std::string tail, bytes_at(file, file.size() - size, size));
  const std::size_t end = tail.rfind(kEndMark);
  if (end == std::string::npos || tail.size() - end < kEndBytes) return damaged_zip("end");
  const std::string_view record = std::string_view(tail).substr(end, kEndBytes);
  Directory directory{number(record, 16, 4), number(record, 12, 4)};
  const bool is_wide =
      end >= kWidePlaceBytes &&
      std::string_view(tail).substr(end - kWidePlaceBytes).starts_with(kWidePlaceMark);
  if (!is_wide) return directory;
  const std::uint64_t place = number(tail, end - kWidePlaceBytes + 8, 8);
  TIDELINE_TRY(const std::string wide, bytes_at(file, place, kWideEndBytes));
  if (!wide.starts_with(kWideEndMark)) return damaged_zip("end");
  return Directory{number(wide, 48, 8), number(wide, 40, 8)};
}

// Takes the numbers of the zip64 field out of the extra fields, in the order of the format.
class WideNumbers {
 public:
  explicit WideNumbers(std::string_view extra) {
    constexpr std::uint64_t kWideField = 1;
    while (extra.size() >= 4) {
      const std::uint64_t bytes = number(extra, 2, 2);
      const std::string_view content = extra.substr(4, static_cast<std::size_t>(bytes));
      if (number(extra, 0, 2) == kWideField) rest_ = content;
      extra.remove_prefix(4 + content.size());
    }
  }
  // `narrow`, or the next number if that one says so; nullopt if there is none, or beyond 63 bits.
  std::optional<std::int64_t> take(std::uint64_t narrow) {
    if (narrow != kSeeWide) return static_cast<std::int64_t>(narrow);
    if (rest_.size() < 8) return std::nullopt;
    const std::uint64_t wide = number(rest_, 0, 8);
    rest_.remove_prefix(8);
    if (wide > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(wide);
  }

 private:
  std::string_view rest_;
};

// Takes an entry off the directory.
Result<ZipMember> take_entry(std::string_view& directory) {
  if (directory.size() < kEntryBytes || !directory.starts_with(kEntryMark)) {
    return damaged_zip("directory");
  }
  const auto name_bytes = static_cast<std::size_t>(number(directory, 28, 2));
  const auto extra_bytes = static_cast<std::size_t>(number(directory, 30, 2));
  const auto comment_bytes = static_cast<std::size_t>(number(directory, 32, 2));
  const std::size_t all = kEntryBytes + name_bytes + extra_bytes + comment_bytes;
  if (directory.size() < all) return damaged_zip("directory");
  ZipMember member;
  member.name = directory.substr(kEntryBytes, name_bytes);
  member.flags = static_cast<std::uint16_t>(number(directory, 8, 2));
  member.method = static_cast<std::uint16_t>(number(directory, 10, 2));
  member.crc = static_cast<std::uint32_t>(number(directory, 16, 4));
  WideNumbers wide(directory.substr(kEntryBytes + name_bytes, extra_bytes));
  const auto bytes = wide.take(number(directory, 24, 4));
  const auto packed = wide.take(number(directory, 20, 4));
  const auto begin = wide.take(number(directory, 42, 4));
  if (!bytes || !packed || !begin) return damaged_zip("directory");
  member.bytes = *bytes;
  member.packed_bytes = *packed;
  member.begin = *begin;
  directory.remove_prefix(all);
  return member;
}

Status find_bytes(const InputFile& file, ZipMember& member) {
  TIDELINE_TRY(const std::string header,
               bytes_at(file, static_cast<std::uint64_t>(member.begin), kHeaderBytes));
  if (!header.starts_with(kHeaderMark)) return damaged_zip("header of a member");
  member.offset = member.begin + static_cast<std::int64_t>(kHeaderBytes + number(header, 26, 2) +
                                                           number(header, 28, 2));
  const auto size = static_cast<std::int64_t>(file.size());
  if (member.offset > size || member.packed_bytes > size - member.offset) {
    return fail(Code::kCorrupt, "member '{}': has {} bytes at byte {}; the file ends before",
                printable(member.name), member.packed_bytes, member.offset);
  }
  return {};
}

// The members in the order of their places; none reaches into the next. Archives of more than 4
// GiB and of more than 65535 members (zip64) are read, those on several disks are not. Errors:
// kIo, kCorrupt, kUnsupported. Messages do not begin with the path. Cost: O(members).
Result<std::vector<ZipMember>> read_zip_directory(const InputFile& file) {
  TIDELINE_TRY(const Directory place, find_directory(file));
  TIDELINE_TRY(const std::string bytes, bytes_at(file, place.offset, place.bytes));
  std::vector<ZipMember> members;
  for (std::string_view rest = bytes; !rest.empty();) {
    TIDELINE_TRY(ZipMember member, take_entry(rest));
    TIDELINE_RETURN_IF_ERROR(find_bytes(file, member));
    members.push_back(std::move(member));
  }
  std::sort(members.begin(), members.end(),
            [](const ZipMember& a, const ZipMember& b) { return a.begin < b.begin; });
  // A member that lies in another, or twice in the list, unpacks a megabyte as often as it is
  // named.
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (members[i].begin >= members[i - 1].offset + members[i - 1].packed_bytes) continue;
    return fail(Code::kCorrupt, "member '{}': its bytes are those of member '{}', too",
                printable(members[i].name), printable(members[i - 1].name));
  }
  return members;
}

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
