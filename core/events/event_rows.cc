// Problem: the histograms of a large log are hundreds of megabytes of copies. Memory of that size
// is
//   new to the process, and the first touch of each of its pages costs more than the copy.
// Idea: chunks of the size of a large page, aligned like it, so that the kernel may give a whole
// one
//   at the first touch. A chunk that is not full goes on to the next block that the same thread
//   decodes. Small blocks, as of a log that is followed, get small chunks.
// Cost: O(bytes); madvise is a wish, and nothing changes without it.
#include "core/events/event_rows.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

namespace tideline::events {

class KeptBytes::Chunk {
 public:
  static constexpr std::size_t kLargePage = std::size_t{1} << 21U;

  explicit Chunk(std::size_t size) : size_(size) {
    if (size < kLargePage) {
      data_ = static_cast<char*>(::operator new(size));
      return;
    }
    data_ = static_cast<char*>(::operator new (size, std::align_val_t{kLargePage}));
    (void)::madvise(data_, size, MADV_HUGEPAGE);
  }
  ~Chunk() {
    if (size_ < kLargePage) {
      ::operator delete(data_);
    } else {
      ::operator delete (data_, std::align_val_t{kLargePage});
    }
  }
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;

  [[nodiscard]] std::size_t left() const { return size_ - used_; }
  std::size_t add(std::string_view content) {
    if (!content.empty()) std::memcpy(data_ + used_, content.data(), content.size());
    used_ += content.size();
    return used_ - content.size();
  }
  [[nodiscard]] std::string_view at(std::size_t begin, std::size_t size) const {
    return {data_ + begin, size};
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

void KeptBytes::add(std::string_view content, ValueRow& row) {
  constexpr std::size_t kSmallChunk = std::size_t{1} << 18U;
  if (room_ == nullptr || room_->left() < content.size()) {
    const std::size_t usual =
        hint_ < Chunk::kLargePage ? std::min(hint_, kSmallChunk) : Chunk::kLargePage;
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
