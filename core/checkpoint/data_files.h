// The data files of a checkpoint, opened when first read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "core/base/error.h"
#include "core/base/permissions.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline {
class InputFile;
}

namespace tideline::checkpoint {

class InflatedFile;
class SavedSlice;
class TableFile;

/// Keeps one file open, since tensors are read file by file, but all tables up to a limit, because
/// shards are read in turns. While a packed piece is read, the checksum that its file has for it is
/// compared. Thread: not shared.
class DataFiles {
 public:
  /// `checkpoint` must outlive it.
  explicit DataFiles(const Checkpoint& checkpoint);
  ~DataFiles();
  DataFiles(const DataFiles&) = delete;
  DataFiles& operator=(const DataFiles&) = delete;

  /// Reads bytes [at, at + size) of `piece` to `to`. Errors: kNotFound, kIo; kCorrupt when the file
  /// ends before, and for packed bytes that do not unpack or match their checksum; kIo when the
  /// file changed since it was opened. Messages begin with the path of the file. Cost: of packed
  /// pieces O(size) for calls that follow one another. Precondition: the range lies within the
  /// piece.
  [[nodiscard]] Status read(const Piece& piece, Bytes at, char* to, std::size_t size);

  /// Checks what of a table, a file of a checkpoint of version 1, no piece has made it read. Calls
  /// `each` with the offset of every damaged block. Errors: those of TableFile::open; kCancelled.
  [[nodiscard]] Status check_rest_of_table(
      std::uint32_t file, Progress& progress,
      const std::function<void(std::uint64_t offset, const Error&)>& each);

  [[nodiscard]] const Checkpoint& checkpoint() const { return checkpoint_; }
  [[nodiscard]] const std::string& path(const Piece& piece) const {
    return checkpoint_.files[piece.file];
  }

 private:
  [[nodiscard]] Status open(std::uint32_t file);
  [[nodiscard]] Result<TableFile*> table(std::uint32_t file);
  [[nodiscard]] Status read_member(const Piece& piece, Bytes at, char* to, std::size_t size);
  [[nodiscard]] Status read_entry(const Piece& piece, Bytes at, char* to, std::size_t size);

  const Checkpoint& checkpoint_;
  std::unique_ptr<InputFile> open_;
  std::uint32_t file_ = 0;
  // The packed piece that was read last, of the file that is open, by one of two ways.
  std::shared_ptr<const Packing> packing_;
  std::unique_ptr<InflatedFile> member_;
  std::unique_ptr<SavedSlice> entry_;
  std::map<std::uint32_t, std::unique_ptr<TableFile>> tables_;  // by file
};

/// If the format has a checksum of `piece`, a piece of `tensor`, compares it with the bytes that
/// were read. Errors: kCorrupt, naming file and tensor.
[[nodiscard]] Status compare_crc(const DataFiles& files, const StoredTensor& tensor,
                                 const Piece& piece, std::uint32_t crc);

/// Who may read what is made of `checkpoint`: whoever may read all of its
/// files.
[[nodiscard]] Readers source_readers(const Checkpoint& checkpoint);

}  // namespace tideline::checkpoint
