// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

namespace tideline {

/// Owns `fd`; a negative one, from an open that failed, is kept as it is.
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
