// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

namespace tideline {

/// Owns `fd`. A negative value, from a failed open, is kept and never closed.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int value() const { return fd_; }

 private:
  int fd_;
};

}  // namespace tideline
