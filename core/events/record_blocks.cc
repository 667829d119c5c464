// Tested by unit/events/record_blocks_test.cc.
#include "core/events/record_blocks.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"

namespace tideline::events {
namespace {

constexpr std::uint64_t kFrameBytes = kRecordHeaderBytes + kRecordFooterBytes;
// Leaves room in the second-level cache for other data.
constexpr std::size_t kPieceBytes = std::size_t{1} << 18U;

// Compares the data of a whole record with their checksum.
bool data_are_sound(std::string_view record) {
  const std::size_t length = record.size() - kFrameBytes;
  return mask_crc(crc32c(record.substr(kRecordHeaderBytes, length))) ==
         leading_number<std::uint32_t>(record.substr(record.size() - kRecordFooterBytes));
}

}  // namespace

char* BlockBuffer::resize(std::size_t size, std::size_t kept) {
  if (size > capacity_) {
    auto larger = std::make_unique_for_overwrite<char[]>(size);
    if (kept > 0) std::memcpy(larger.get(), data_.get(), kept);
    data_ = std::move(larger);
    capacity_ = size;
  }
  size_ = size;
  return data_.get();
}

SoundRecords sound_records(std::string_view bytes, DataChecksums checksums,
                           const SoundRecords& before) {
  using End = SoundRecords::End;
  SoundRecords found = before;
  while (found.bytes < bytes.size()) {
    const std::string_view rest = bytes.substr(found.bytes);
    found.wanted = kRecordHeaderBytes;
    found.end = End::kTruncated;
    if (rest.size() < kRecordHeaderBytes) return found;
    const auto size = record_bytes(rest.substr(0, kRecordHeaderBytes));
    if (!size) {
      found.end = End::kLengthChecksum;
      return found;
    }
    found.wanted = *size;
    if (*size > rest.size()) return found;
    if (checksums == DataChecksums::kCheck && !data_are_sound(rest.substr(0, *size))) {
      found.end = End::kDataChecksum;
      return found;
    }
    found.bytes += *size;
    ++found.count;
  }
  found.end = End::kAll;
  return found;
}

// Bytes `begin` to `end` of the buffer, whose first one lies at `at_` of the file.
Status RecordBlocks::read_into(BlockBuffer& buffer, std::size_t begin, std::size_t end) {
  TIDELINE_TRY(const std::size_t got,
               file_.read_at(at_ + begin, buffer.data() + begin, end - begin));
  if (got != end - begin) return changed_while_read(file_.path());
  return {};
}

Result<SoundRecords> RecordBlocks::load(BlockBuffer& buffer) {
  const DataChecksums checksums =
      at_damage_ == AtDamage::kSkip ? DataChecksums::kCheck : DataChecksums::kSkip;
  const std::uint64_t left = limit_ - at_;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBlockBytes));
  buffer.resize(size);
  SoundRecords sound;
  // A piece is looked at while it is still in the cache; otherwise every record waits for memory.
  for (std::size_t at = 0; at < size;) {
    const std::size_t end = std::min(size, at + kPieceBytes);
    TIDELINE_RETURN_IF_ERROR(read_into(buffer, at, end));
    if (at == 0 || sound.end == SoundRecords::End::kTruncated ||
        sound.end == SoundRecords::End::kAll) {
      sound = sound_records(buffer.bytes().substr(0, end), checksums, sound);
    }
    at = end;
  }
  const bool is_larger = sound.bytes == 0 && sound.end == SoundRecords::End::kTruncated &&
                         sound.wanted > size && sound.wanted <= left;
  if (!is_larger) return sound;
  const auto whole = static_cast<std::size_t>(sound.wanted);
  buffer.resize(whole, size);
  TIDELINE_RETURN_IF_ERROR(read_into(buffer, size, whole));
  return sound_records(buffer.bytes(), checksums);
}

Result<bool> RecordBlocks::next(RecordBlock& block) {
  while (!has_ended_ && at_ < limit_) {
    TIDELINE_TRY(const SoundRecords sound, load(block.buffer));
    if (sound.bytes > 0) {
      block.buffer.shrink(sound.bytes);
      block.at = at_;
      block.first_number = number_;
      block.file_bytes = limit_;
      block.is_checked = at_damage_ == AtDamage::kSkip;
      at_ += sound.bytes;
      number_ += sound.count;
      return true;
    }
    if (at_damage_ == AtDamage::kSkip) {
      TIDELINE_TRY(const bool goes_on, skip(block.buffer, sound));
      if (!goes_on) return false;
    } else if (sound.end == SoundRecords::End::kTruncated) {
      return false;  // perhaps the rest is still being written
    } else {
      add_damage(block.buffer.bytes(), limit_ - at_);
      has_ended_ = true;
    }
  }
  return false;
}

// Goes to the next sound record. False if there is none yet behind a record that may be incomplete.
Result<bool> RecordBlocks::skip(BlockBuffer& buffer, const SoundRecords& at) {
  const bool is_truncated = at.end == SoundRecords::End::kTruncated;
  if (is_truncated && has_incomplete_end_) return false;
  // Damage of data leaves the length alone as a rule, and then the end of the record is known. It
  // is looked for first, because the data may have records inside.
  if (at.end == SoundRecords::End::kDataChecksum) {
    const std::string_view behind = buffer.bytes().substr(at.wanted).substr(0, kRecordHeaderBytes);
    if (at_ + at.wanted == limit_ ||
        (behind.size() == kRecordHeaderBytes && record_bytes(behind).has_value())) {
      add_damage(buffer.bytes(), at.wanted);
      at_ += at.wanted;
      return true;
    }
  }
  TIDELINE_TRY(const FoundRecord found, find_record(file_, at_ + 1, limit_, searched_));
  if (!found.is_found && is_truncated) {
    has_incomplete_end_ = true;
    return false;
  }
  const std::uint64_t to = found.is_found ? found.at : limit_;
  add_damage(buffer.bytes(), to - at_);
  at_ = to;
  return true;
}

void RecordBlocks::finish() {
  if (has_ended_ || at_ == limit_) return;
  has_ended_ = true;
  // Only a record that is not whole can be left, and its header says that.
  std::string head(static_cast<std::size_t>(std::min(limit_ - at_, kRecordHeaderBytes)), '\0');
  const auto got = file_.read_at(at_, head.data(), head.size());
  if (got && *got == head.size()) add_damage(head, limit_ - at_);
}

// `rest` begins with the damaged record.
void RecordBlocks::add_damage(std::string_view rest, std::uint64_t lost) {
  Record record;
  RecordReader one(rest, at_, number_);
  if (one.next(record) || !one.damage()) return;
  RecordDamage damage = *one.damage();
  damage.bytes = lost;
  // What may still grow ends only when nobody waits for more (finish).
  const bool goes_on = damage.what != DamageKind::kTruncated || at_ + lost < limit_;
  if (at_damage_ == AtDamage::kSkip && goes_on) {
    damage.severity = Severity::kDataLoss;
    damage.kind = "damaged records in an event file, which were left out";
  }
  damage_.push_back(std::move(damage));
}

Result<FoundRecord> find_record(const InputFile& file, std::uint64_t from, std::uint64_t end,
                                std::uint64_t& spent) {
  BlockBuffer window;
  BlockBuffer record;
  const std::uint64_t most = kMostSearched * end;
  // Most often the next record is near.
  std::uint64_t window_bytes = kFirstWindowBytes;
  while (from + kFrameBytes <= end && spent <= most) {
    const auto size = static_cast<std::size_t>(std::min(end - from, window_bytes));
    window_bytes = std::min<std::uint64_t>(2 * window_bytes, RecordBlocks::kBlockBytes);
    TIDELINE_TRY(const std::size_t got, file.read_at(from, window.resize(size), size));
    if (got != size) return changed_while_read(file.path());
    const std::string_view bytes = window.bytes();
    for (std::size_t i = 0; i + kRecordHeaderBytes <= size; ++i) {
      const auto wanted = record_bytes(bytes.substr(i, kRecordHeaderBytes));
      if (!wanted || *wanted > end - from - i) continue;
      const auto whole = static_cast<std::size_t>(*wanted);
      spent += whole;
      if (spent > most) return FoundRecord{};
      std::string_view candidate = bytes.substr(i).substr(0, whole);
      if (candidate.size() < whole) {
        TIDELINE_TRY(const std::size_t read, file.read_at(from + i, record.resize(whole), whole));
        if (read != whole) return changed_while_read(file.path());
        candidate = record.bytes();
      }
      if (data_are_sound(candidate)) {
        spent += i;
        return FoundRecord{true, from + i};
      }
    }
    spent += size;
    if (from + size == end) break;
    from += size - (kRecordHeaderBytes - 1);
  }
  return FoundRecord{};
}

}  // namespace tideline::events
