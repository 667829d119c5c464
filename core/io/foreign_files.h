// Names files that Tideline does not read, or not where they were given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::io {

/// What a file was given as.
enum class FileUse : std::uint8_t { kGraph, kLog, kCheckpoint, kRunMetadata };

/// As many bytes at either end of a file tell what it is; more of them are welcome.
inline constexpr std::size_t kTellingBytes = 4096;

/// These bytes, or the whole file. Errors: those of InputFile.
struct FileEnds {
  std::string head, tail;
};
[[nodiscard]] Result<FileEnds> read_ends(const std::string& path);

/// What the file is and what to do instead, for a message after its path: "is packed by gzip;
/// expected a graph: unpack it first (gunzip)". Nothing for a file that may be what `use` says, and
/// for one of no known kind. `head` and `tail` are its first and last bytes, and may be all of it.
/// `otherwise` is what is expected where nothing better can be said.
/// Cost: O(1), plus skipping the fields of a message. Thread: pure.
[[nodiscard]] std::optional<std::string> foreign_file(std::string_view head, std::string_view tail,
                                                      FileUse use, std::string_view otherwise = {});

/// The same for a file that may not exist or not be readable, which is nothing, too.
[[nodiscard]] std::optional<std::string> foreign_file_at(const std::string& path, FileUse use,
                                                         std::string_view otherwise = {});

}  // namespace tideline::io
