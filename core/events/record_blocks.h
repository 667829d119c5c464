// Reads a TFRecord file in blocks of whole records, which may be decoded on other threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/events/record_reader.h"

namespace tideline::events {

/// Memory for a part of a file. Unlike a string it is not zeroed first. Kept for the next part.
class BlockBuffer {
 public:
  /// Room for `size` bytes, of which the first `kept` keep their value.
  char* resize(std::size_t size, std::size_t kept = 0);
  void shrink(std::size_t size) { size_ = size; }
  [[nodiscard]] char* data() { return data_.get(); }
  [[nodiscard]] std::string_view bytes() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

/// Whole records one behind the other, whose lengths have sound checksums.
struct RecordBlock {
  std::uint32_t file = 0;         ///< set by LogSource
  std::uint64_t at = 0;           ///< offset of the first record in its file
  std::int64_t first_number = 1;  ///< of the records in the file
  std::uint64_t file_bytes = 0;   ///< in the file, as far as it was written
  bool is_checked = false;        ///< whether the checksums of the data were checked, too
  BlockBuffer buffer;
};

/// What to do about damage.
enum class AtDamage : std::uint8_t {
  kStop,  ///< the good part of a file ends there
  kSkip,  ///< search for the next record that is whole and has sound checksums
};

/// The whole records at the beginning of some bytes.
struct SoundRecords {
  enum class End : std::uint8_t { kAll, kTruncated, kLengthChecksum, kDataChecksum };
  std::size_t bytes = 0;
  std::int64_t count = 0;
  End end = End::kAll;        ///< why the next one was not counted
  std::uint64_t wanted = 12;  ///< bytes of the next record, if its length is sound
};
/// With `before`, which is what was found in the beginning of the same bytes, goes on behind that.
[[nodiscard]] SoundRecords sound_records(std::string_view bytes, DataChecksums checksums,
                                         const SoundRecords& before = {});

/// Reads a file, as far as it was written when it was opened.
/// With kStop the decoder of a block has to check the checksums of its data. Memory: one block.
/// Cost: O(bytes); with kSkip also a search of every byte behind damage. Thread: not shared.
class RecordBlocks {
 public:
  /// Where a reading goes on: behind the records that were read.
  struct Position {
    std::uint64_t at = 0;
    std::int64_t number = 1;
  };

  explicit RecordBlocks(InputFile file, AtDamage at_damage = AtDamage::kStop)
      : RecordBlocks(std::move(file), at_damage, {0, 1}) {}
  RecordBlocks(InputFile file, AtDamage at_damage, Position from)
      : file_(std::move(file)),
        at_damage_(at_damage),
        limit_(file_.size()),
        at_(from.at),
        number_(from.number) {}

  /// The next block: as many records as fit in kBlockBytes, or a single larger one. False at the
  /// end of what was written, in front of an incomplete record, and at damage. Errors: kIo, also
  /// for a file that was cut meanwhile.
  [[nodiscard]] Result<bool> next(RecordBlock& block);

  /// Takes what is left for an incomplete record, if there is something left.
  void finish();

  /// What was left out, in the order of the file.
  [[nodiscard]] const std::vector<RecordDamage>& damage() const { return damage_; }
  /// Whether damage ended the file.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] Position position() const { return {at_, number_}; }
  /// Offset behind the last complete record.
  [[nodiscard]] std::uint64_t at() const { return at_; }
  /// The length of the file as far as it is known.
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] const InputFile& file() const { return file_; }

  static constexpr std::size_t kBlockBytes = std::size_t{1} << 22U;

 private:
  [[nodiscard]] Status read_into(BlockBuffer& buffer, std::size_t begin, std::size_t end);
  [[nodiscard]] Result<SoundRecords> load(BlockBuffer& buffer);
  [[nodiscard]] Result<bool> skip(BlockBuffer& buffer, const SoundRecords& at);
  void add_damage(std::string_view rest, std::uint64_t lost);

  InputFile file_;
  AtDamage at_damage_;
  std::uint64_t limit_;
  std::uint64_t at_ = 0;
  std::int64_t number_ = 1;
  bool has_ended_ = false;
  std::uint64_t searched_ = 0;       ///< bytes that were checked in searches
  bool has_incomplete_end_ = false;  ///< and nothing behind it: it was searched
  std::vector<RecordDamage> damage_;
};

/// Where the next sound record begins.
struct FoundRecord {
  bool is_found = false;
  std::uint64_t at = 0;
};

/// Searches `file` between the offsets `from` and `end` for a record with sound checksums. `spent`
/// counts the bytes that were checked; beyond kMostSearched times the file the search gives up, so
/// that made-up lengths cannot make it quadratic. Errors: kIo.
[[nodiscard]] Result<FoundRecord> find_record(const InputFile& file, std::uint64_t from,
                                              std::uint64_t end, std::uint64_t& spent);
inline constexpr std::uint64_t kMostSearched = 8;
/// The first read of a search; each further one is twice as long, up to a block.
inline constexpr std::uint64_t kFirstWindowBytes = std::uint64_t{4} << 10U;

}  // namespace tideline::events
