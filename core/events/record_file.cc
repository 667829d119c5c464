// Tested by tests/unit/events/record_file_test.cc.
#include "core/events/record_file.h"

#include <algorithm>
#include <string_view>

namespace tideline::events {
namespace {

// Most records are far smaller: one read for many.
constexpr std::size_t kPiece = std::size_t{1} << 20U;

}  // namespace

// Makes the window at least `wanted` bytes. Precondition: the file had so many left.
bool RecordFile::fill(std::size_t wanted) {
  if (window().size() >= wanted) return true;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t had = buffer_.size();
  const std::uint64_t left = file_.size() - fetched_;
  const std::size_t more = std::min<std::uint64_t>(left, std::max(kPiece, wanted - had));
  buffer_.resize(had + more);
  auto got = file_.read(buffer_.data() + had, more);
  if (got && *got == more) {
    fetched_ += more;
    return true;
  }
  status_ = got ? Status(changed_while_read(file_.path())) : tl::unexpected(std::move(got).error());
  return false;
}

bool RecordFile::next(Record& record) {
  if (damage_ || !status_ || at_ == file_.size()) return false;
  const std::uint64_t left = file_.size() - at_;
  if (!fill(std::min(left, kRecordHeaderBytes))) return false;
  std::uint64_t size = std::min(left, kRecordHeaderBytes);
  if (left >= kRecordHeaderBytes) {
    const auto announced = record_bytes(window().substr(0, kRecordHeaderBytes));
    if (announced && *announced <= left) size = *announced;
    if (!fill(size)) return false;
  }
  RecordReader one(window().substr(0, size), at_, number_);
  if (!one.next(record)) {
    damage_ = one.damage();
    return false;
  }
  begin_ += size;
  at_ += size;
  ++number_;
  return true;
}

}  // namespace tideline::events
