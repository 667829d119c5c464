// Problem: the histograms of a large log are hundreds of megabytes of copies, in small pieces.
// Idea: chunks that do not move. A chunk that is not full goes on to the next block that the same
//   thread decodes, so that nothing is left empty. Small blocks, as of a log that is followed, get
//   small chunks.
// Cost: O(bytes). Large pages (madvise) were tried: a fifth less time while the kernel has some at
//   hand, and up to twice as much when it has to make them.
#include "core/events/event_rows.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>

namespace tideline::events {

class KeptBytes::Chunk {
 public:
  explicit Chunk(std::size_t size)
      : data_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}

  [[nodiscard]] std::size_t left() const { return size_ - used_; }
  std::size_t add(std::string_view content) {
    if (!content.empty()) std::memcpy(data_.get() + used_, content.data(), content.size());
    used_ += content.size();
    return used_ - content.size();
  }
  [[nodiscard]] std::string_view at(std::size_t begin, std::size_t size) const {
    return {data_.get() + begin, size};
  }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

void KeptBytes::add(std::string_view content, ValueRow& row) {
  constexpr std::size_t kSmallChunk = std::size_t{1} << 18U;
  constexpr std::size_t kLargeChunk = std::size_t{1} << 21U;
  if (room_ == nullptr || room_->left() < content.size()) {
    const std::size_t usual = hint_ < kLargeChunk ? std::min(hint_, kSmallChunk) : kLargeChunk;
    room_ = std::make_shared<Chunk>(std::max({usual, content.size(), std::size_t{1}}));
  }
  if (chunks_.empty() || chunks_.back() != room_) chunks_.push_back(room_);
  row.chunk = static_cast<std::uint32_t>(chunks_.size() - 1);
  row.chunk_begin = static_cast<std::uint32_t>(room_->add(content));
  bytes_ += content.size();
}

std::uint32_t KeptBytes::take(KeptBytes&& other) {
  const auto before = static_cast<std::uint32_t>(chunks_.size());
  std::move(other.chunks_.begin(), other.chunks_.end(), std::back_inserter(chunks_));
  other.chunks_.clear();
  bytes_ += std::exchange(other.bytes_, 0);
  return before;
}

std::string_view KeptBytes::at(const ValueRow& row) const {
  return chunks_[row.chunk]->at(row.chunk_begin, row.size);
}

}  // namespace tideline::events
