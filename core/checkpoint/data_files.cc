#include "core/checkpoint/data_files.h"

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/input_file.h"
#include "core/base/strictest.h"
#include "core/base/text.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/inflated_file.h"
#include "core/checkpoint/saved_slice.h"
#include "core/checkpoint/table_file.h"
#include "core/io/foreign_files.h"

namespace tideline::checkpoint {

DataFiles::DataFiles(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

DataFiles::~DataFiles() = default;

Status DataFiles::open(std::uint32_t file) {
  TIDELINE_CHECK(file < checkpoint_.files.size());
  if (open_ && file_ == file) return {};
  TIDELINE_TRY(InputFile opened, InputFile::open(checkpoint_.files[file]));
  packing_.reset();
  member_.reset();
  open_ = std::make_unique<InputFile>(std::move(opened));
  file_ = file;
  return {};
}

Result<TableFile*> DataFiles::table(std::uint32_t file) {
  constexpr std::size_t kMostTables = 256;
  if (const auto known = tables_.find(file); known != tables_.end()) return known->second.get();
  packing_.reset();
  if (tables_.size() >= kMostTables) tables_.clear();
  TIDELINE_TRY(TableFile opened, TableFile::open(checkpoint_.files[file]));
  return tables_.emplace(file, std::make_unique<TableFile>(std::move(opened))).first->second.get();
}

Status DataFiles::check_rest_of_table(
    std::uint32_t file, Progress& progress,
    const std::function<void(std::uint64_t offset, const Error&)>& each) {
  TIDELINE_TRY(TableFile * table, this->table(file));
  packing_.reset();  // the block that it is in may go
  return table->check_rest(progress, each);
}

Status DataFiles::read_member(const Piece& piece, Bytes at, char* to, std::size_t size) {
  const Packing& packing = *piece.packing;
  TIDELINE_RETURN_IF_ERROR(open(piece.file));
  if (packing_ != piece.packing) {
    packing_ = piece.packing;
    member_ = std::make_unique<InflatedFile>(*open_, packing, packing.skipped + piece.bytes);
  }
  Status read = member_->read(packing.skipped + at, to, size);
  if (!read) return tl::unexpected(with_context(std::move(read).error(), open_->path()));
  return open_->check_unchanged();
}

Status DataFiles::read_entry(const Piece& piece, Bytes at, char* to, std::size_t size) {
  TIDELINE_TRY(TableFile * table, this->table(piece.file));
  const auto in_file = [&](Error error) {
    return tl::unexpected(with_context(std::move(error), path(piece)));
  };
  if (packing_ != piece.packing) {
    packing_.reset();
    auto value = table->find(piece.packing->key);
    if (!value) return in_file(std::move(value).error());
    if (!*value) return in_file({Code::kCorrupt, "has no values of the slice that it lists"});
    auto slice = SavedSlice::parse(**value, piece.packing->type);
    if (!slice) return in_file(std::move(slice).error());
    if (slice->bytes() != piece.bytes) {
      return in_file({Code::kCorrupt, fmt::format("holds {} bytes of values; its list of tensors "
                                                  "says {}",
                                                  slice->bytes(), piece.bytes)});
    }
    entry_ = std::make_unique<SavedSlice>(*std::move(slice));
    packing_ = piece.packing;
  }
  entry_->read(at, to, size);
  return {};
}

Status DataFiles::read(const Piece& piece, Bytes at, char* to, std::size_t size) {
  if (piece.packing) {
    return piece.packing->kind == Packing::Kind::kTableEntry ? read_entry(piece, at, to, size)
                                                             : read_member(piece, at, to, size);
  }
  TIDELINE_RETURN_IF_ERROR(open(piece.file));
  const auto offset = static_cast<std::size_t>(piece.offset);
  const auto bytes = static_cast<std::size_t>(piece.bytes);
  if (offset > open_->size() || bytes > open_->size() - offset) {
    // A repository without its large files has pointers in their place.
    if (const auto foreign =
            io::foreign_file_at(open_->path(), io::FileUse::kCheckpoint, expected_input())) {
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
  return strictest(readers, readers_of(checkpoint.format->main_file(checkpoint.path)));
}

}  // namespace tideline::checkpoint
