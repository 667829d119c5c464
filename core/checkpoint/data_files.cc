#include "core/checkpoint/data_files.h"

#include "core/base/check.h"
#include "core/base/input_file.h"
#include "core/base/strictest.h"
#include "core/base/text.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/io/foreign_files.h"

namespace tideline::checkpoint {

DataFiles::DataFiles(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

DataFiles::~DataFiles() = default;

Status DataFiles::read(const Piece& piece, Bytes at, char* to, std::size_t size) {
  TIDELINE_CHECK(piece.file < checkpoint_.files.size());
  if (!open_ || file_ != piece.file) {
    TIDELINE_TRY(InputFile file, InputFile::open(checkpoint_.files[piece.file]));
    open_ = std::make_unique<InputFile>(std::move(file));
    file_ = piece.file;
  }
  const auto offset = static_cast<std::size_t>(piece.offset);
  const auto bytes = static_cast<std::size_t>(piece.bytes);
  if (offset > open_->size() || bytes > open_->size() - offset) {
    // A repository without its large files has pointers in their place.
    if (const auto foreign = io::foreign_file_at(open_->path(), io::FileUse::kCheckpoint)) {
      return fail(Code::kCorrupt, "{}: {}", open_->path(), *foreign);
    }
    return fail(Code::kCorrupt, "{}: has {} bytes; expected {} bytes at byte {}", open_->path(),
                open_->size(), bytes, offset);
  }
  TIDELINE_TRY(const std::size_t got,
               open_->read_at(offset + static_cast<std::size_t>(at), to, size));
  if (got < size) return changed_while_read(open_->path());
  return open_->check_unchanged();
}

Status compare_crc(const DataFiles& files, const StoredTensor& tensor, const Piece& piece,
                   std::uint32_t crc) {
  if (!piece.crc || *piece.crc == crc) return {};
  return fail(Code::kCorrupt,
              "{}: tensor '{}': its {} bytes at byte {} do not match their checksum (crc32c "
              "{:08x}; expected {:08x})",
              files.path(piece), printable(tensor.name), piece.bytes, piece.offset, crc,
              *piece.crc);
}

Readers source_readers(const Checkpoint& checkpoint) {
  Readers readers;
  for (const std::string& file : checkpoint.files) readers = strictest(readers, readers_of(file));
  // The index has names and shapes; a folder of .npy files is closed as a whole.
  const std::string main =
      checkpoint.format == Format::kTensorFlow ? index_path(checkpoint.path) : checkpoint.path;
  return strictest(readers, readers_of(main));
}

}  // namespace tideline::checkpoint
