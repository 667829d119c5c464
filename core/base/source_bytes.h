// A file's bytes as one read-only span in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/permissions.h"

namespace tideline {

/// Immutable bytes with an owner. Views into `bytes()` live as long as a copy of the shared_ptr.
/// What others do to the file later has no effect on them.
class SourceBytes {
 public:
  virtual ~SourceBytes() = default;
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// Who may read the file that they are from; everybody for bytes built in memory and for pipes.
  [[nodiscard]] const Readers& readers() const { return readers_; }

 protected:
  std::string_view bytes_;
  Readers readers_;
};

using SharedBytes = std::shared_ptr<const SourceBytes>;

/// Whether a path may be a pipe or a terminal, which are read to their end. Waiting for one ends
/// only with a signal, so this is for command lines.
enum class Pipes : std::uint8_t { kRefuse, kRead };

/// Copies a file into memory. It is not mapped, because a mapping changes with the file: bytes that
/// were checked could be others when they are used, and a file that is cut ends the process. The
/// copy costs half a second a GiB, where mapping costs 0.1 (measured on ext4, from the page cache);
/// parsing takes several times as long, and touches every page anyway.
/// Errors: kNotFound, kIo, also for a file that changes while it is read; kInvalidArgument for
/// folders, devices and, with kRefuse, pipes; kCancelled when a signal interrupts the wait for a
/// pipe. Messages begin with the path. Cost: O(bytes) time and memory.
[[nodiscard]] Result<SharedBytes> open_bytes(const std::string& path, Pipes pipes = Pipes::kRefuse);

/// Takes ownership of bytes built in memory, or copied from a file that `readers` may read.
[[nodiscard]] SharedBytes own_bytes(std::string content, const Readers& readers = {});

}  // namespace tideline
