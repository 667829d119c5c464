// The list of members of a zip archive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/input_file.h"

namespace tideline::checkpoint {

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

/// The members in the order of their places; none reaches into the next. Archives of more than 4
/// GiB and of more than 65535 members (zip64) are read, those on several disks are not. Errors:
/// kIo, kCorrupt, kUnsupported. Messages do not begin with the path. Cost: O(members).
[[nodiscard]] Result<std::vector<ZipMember>> read_zip_directory(const InputFile& file);

}  // namespace tideline::checkpoint
