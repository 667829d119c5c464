// A file written from memory that stays where it is: past the page cache, without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/permissions.h"

namespace tideline::checkpoint {

/// Written from beginning to end under a temporary name; appears whole or not
/// at all. Bytes that are written with `write_in_place` go from the caller's
/// memory to the device, the others are collected in blocks. Where the file
/// system has no direct writes, ordinary ones are used. Errors: kIo. Messages
/// begin with the path. Thread: not shared.
class DirectFile {
 public:
  /// Offsets in the file and addresses in memory of direct writes are multiples
  /// of this.
  static constexpr std::size_t kBlockBytes = 4096;

  /// `bytes` is the size that the file is going to have: a full disk is noticed
  /// at once.
  [[nodiscard]] static Result<DirectFile> create(const std::string& path, std::size_t bytes,
                                                 const Readers& readers = {});
  DirectFile(DirectFile&& other) noexcept;
  DirectFile& operator=(DirectFile&&) = delete;
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;
  ~DirectFile();

  /// Appends a copy of `bytes`.
  [[nodiscard]] Status write(std::string_view bytes);
  /// Appends zeros up to `offset`. Precondition: not less than what was
  /// written.
  [[nodiscard]] Status pad(std::size_t offset);
  /// Appends `bytes` from where they lie. Precondition: their address and the
  /// offset in the file are equal modulo kBlockBytes.
  [[nodiscard]] Status write_in_place(std::string_view bytes);
  /// Cuts the file to what was written: it is on disk then, at `temporary`. Nothing may be written
  /// afterwards.
  [[nodiscard]] Status finish();
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

  [[nodiscard]] std::size_t offset() const { return offset_; }
  /// Whether writes still pass the page cache by.
  [[nodiscard]] bool is_direct() const { return is_direct_; }

 private:
  struct Free {
    void operator()(char* memory) const;
  };

  DirectFile(std::string path, std::string temporary, int fd);
  [[nodiscard]] Status flush_blocks();
  [[nodiscard]] Status write_at(const char* from, std::size_t size);

  std::string path_;
  std::string temporary_;
  int fd_ = -1;
  bool is_direct_ = false;
  std::size_t offset_ = 0;   ///< written or collected
  std::size_t written_ = 0;  ///< of these, what the file has: a multiple of kBlockBytes
  std::unique_ptr<char, Free> blocks_;
};

}  // namespace tideline::checkpoint
