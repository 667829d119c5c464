// Tested by unit/events/row_reader_test.cc.
#include "core/events/row_reader.h"

#include <string_view>

namespace tideline::events {
namespace {

// Behind most contents the record ends, or has a few fields more.
constexpr std::size_t kReadBehind = 256;

}  // namespace

Result<std::string> RowReader::read(const ValueRow& row) {
  if (const auto copy = log_.copy_of(row)) return std::string(*copy);
  if (!file_ || opened_ != row.file) {
    file_.reset();
    TIDELINE_TRY(InputFile file, InputFile::open(log_.files()[row.file].file.path));
    file_.emplace(std::move(file));
    opened_ = row.file;
  }
  const auto changed = [&] {
    return fail(Code::kIo, "{}: the record at byte {} is not what was read before", file_->path(),
                row.record_at);
  };
  std::string bytes(kRecordHeaderBytes + row.begin + row.size + kReadBehind, '\0');
  TIDELINE_TRY(std::size_t got, file_->read_at(row.record_at, bytes.data(), bytes.size()));
  if (got < kRecordHeaderBytes) return changed();
  const auto whole = record_bytes(std::string_view(bytes).substr(0, kRecordHeaderBytes));
  if (!whole) return changed();
  if (*whole > got) {
    TIDELINE_TRY(const std::uint64_t size, file_->size_now());
    if (row.record_at > size || *whole > size - row.record_at) return changed();
    bytes.resize(static_cast<std::size_t>(*whole));
    TIDELINE_TRY(const std::size_t rest,
                 file_->read_at(row.record_at + got, bytes.data() + got, bytes.size() - got));
    got += rest;
    if (got != bytes.size()) return changed();
  }
  Record one;
  if (!RecordReader(std::string_view(bytes).substr(0, got)).next(one)) return changed();
  if (row.begin > one.data.size() || row.size > one.data.size() - row.begin) return changed();
  return std::string(one.data.substr(row.begin, row.size));
}

}  // namespace tideline::events
