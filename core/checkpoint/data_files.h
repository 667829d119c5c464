// The data files of a checkpoint, opened when first read.
#pragma once

#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/base/permissions.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline {
class InputFile;
}

namespace tideline::checkpoint {

/// Keeps at most one file open, as tensors are read file by file. Thread: not shared.
class DataFiles {
 public:
  /// `checkpoint` must outlive it.
  explicit DataFiles(const Checkpoint& checkpoint);
  ~DataFiles();
  DataFiles(const DataFiles&) = delete;
  DataFiles& operator=(const DataFiles&) = delete;

  /// Reads bytes [at, at + size) of `piece` to `to`. Errors: kNotFound, kIo; kCorrupt when the file
  /// ends before; kIo when it changed since it was opened. Messages begin with the path of the
  /// file. Precondition: the range lies within the piece.
  [[nodiscard]] Status read(const Piece& piece, Bytes at, char* to, std::size_t size);

  [[nodiscard]] const Checkpoint& checkpoint() const { return checkpoint_; }
  [[nodiscard]] const std::string& path(const Piece& piece) const {
    return checkpoint_.files[piece.file];
  }

 private:
  const Checkpoint& checkpoint_;
  std::unique_ptr<InputFile> open_;
  std::uint32_t file_ = 0;
};

/// Compares the checksum of `piece`, a piece of `tensor`, with that of what was read, if the format
/// has one. Errors: kCorrupt, naming file and tensor.
[[nodiscard]] Status compare_crc(const DataFiles& files, const StoredTensor& tensor,
                                 const Piece& piece, std::uint32_t crc);

/// Who may read what is made of `checkpoint`: whoever may read all of its
/// files.
[[nodiscard]] Readers source_readers(const Checkpoint& checkpoint);

}  // namespace tideline::checkpoint
