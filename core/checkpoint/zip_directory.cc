// Format: every member has a header before its bytes; at the end of the file a directory lists them
//   again, and an end record says where the directory is. Sizes and places are taken from the
//   directory, from the header only its length. Numbers that do not fit are all ones, and stand in
//   an extra field and in a second end record (zip64).
// Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3 to 4.5.
// Tested by: unit/checkpoint/npz_test.cc.
#include "core/checkpoint/zip_directory.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/text.h"

namespace tideline::checkpoint {
namespace {

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

}  // namespace

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

}  // namespace tideline::checkpoint
