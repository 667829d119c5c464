// A file's bytes as one read-only span, mapped when the system can, read otherwise (pipes).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline {

/// Immutable bytes with an owner. Views into `bytes()` live as long as a copy of the shared_ptr.
class SourceBytes {
 public:
  virtual ~SourceBytes() = default;
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 protected:
  std::string_view bytes_;
};

using SharedBytes = std::shared_ptr<const SourceBytes>;

/// How a regular file's bytes are held.
enum class Hold {
  kMap,   ///< The system's pages: no copy, but a file that others cut ends the process (SIGBUS).
  kCopy,  ///< Memory of our own, for files up to `kMostCopied` bytes: what others do is not seen.
};
/// A copy of more would be felt in time and memory, and graphs of that size are the exception:
/// protobuf itself ends at 2 GiB.
inline constexpr std::size_t kMostCopied = std::size_t{1} << 30U;

/// Maps or copies `path` (a regular file), or reads it whole (a pipe or a device).
/// Errors: kNotFound, kIo; a folder is kInvalidArgument; kCancelled when a signal ends the wait for
/// a pipe. Messages begin with the path.
[[nodiscard]] Result<SharedBytes> open_bytes(const std::string& path, Hold hold = Hold::kMap);

/// A part of `whole`, which stays alive as long as the part. Precondition: `part` lies in it.
[[nodiscard]] SharedBytes slice_bytes(SharedBytes whole, std::string_view part);

/// Bytes that were made in memory.
[[nodiscard]] SharedBytes own_bytes(std::string content);

}  // namespace tideline
