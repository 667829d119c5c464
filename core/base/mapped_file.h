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

/// Maps `path` (a regular file), or reads it whole (a pipe or a device).
/// Errors: kNotFound, kIo; a folder is kInvalidArgument; kCancelled when a signal ends the wait for
/// a pipe. Messages begin with the path.
[[nodiscard]] Result<SharedBytes> open_bytes(const std::string& path);

/// Bytes that were made in memory.
[[nodiscard]] SharedBytes own_bytes(std::string content);

/// A piece of `whole`, which stays alive as long as the piece does.
[[nodiscard]] SharedBytes share_piece(SharedBytes whole, std::string_view piece);

}  // namespace tideline
