// Tested by tests/unit/events/record_file_test.cc.
#include "core/events/record_file.h"

namespace tideline::events {

bool RecordFile::next(Record& record) {
  while (!damage_ && status_) {
    if (reader_ && reader_->next(record)) return true;
    if (reader_ && reader_->damage()) {
      damage_ = reader_->damage();
    } else if (!next_block()) {
      return false;
    }
  }
  return false;
}

bool RecordFile::next_block() {
  const auto is_there = blocks_.next(block_);
  if (!is_there) {
    status_ = tl::unexpected(is_there.error());
    return false;
  }
  if (*is_there) {
    reader_.emplace(block_.buffer.bytes(), block_.at, block_.first_number);
    return true;
  }
  blocks_.finish();
  if (!blocks_.damage().empty()) damage_ = blocks_.damage().front();
  return false;
}

}  // namespace tideline::events
