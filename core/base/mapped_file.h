// A file's bytes as one read-only span: mapped if possible, otherwise read into memory (pipes).
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
  kMap,   ///< Mapped: no copy, but truncation by another process ends this one (SIGBUS).
  kCopy,  ///< Copied, up to `kMostCopied` bytes: later changes by others are invisible.
};
/// Larger files are mapped even with kCopy: copying them would cost noticeable time and memory, and
/// few graphs are that large (protobuf's limit is 2 GiB).
inline constexpr std::size_t kMostCopied = std::size_t{1} << 30U;

/// Maps or copies a regular file; reads a pipe or device to its end.
/// Errors: kNotFound, kIo; kInvalidArgument for a folder; kCancelled when a signal interrupts the
/// wait for a pipe. Messages begin with the path.
[[nodiscard]] Result<SharedBytes> open_bytes(const std::string& path, Hold hold = Hold::kMap);

/// `part` of `whole`, sharing ownership of `whole`. Precondition: `part` lies within `whole`.
[[nodiscard]] SharedBytes slice_bytes(SharedBytes whole, std::string_view part);

/// Takes ownership of bytes built in memory.
[[nodiscard]] SharedBytes own_bytes(std::string content);

}  // namespace tideline
