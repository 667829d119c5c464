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
  /// ends before. Messages begin with the path of the file.
  /// Precondition: the range lies within the piece.
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

/// Who may read what is made of `checkpoint`: whoever may read its data.
[[nodiscard]] Readers source_readers(const Checkpoint& checkpoint);

}  // namespace tideline::checkpoint
